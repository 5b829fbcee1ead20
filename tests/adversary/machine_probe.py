"""Run in a container or a virtual machine: tries what leads out, and prints as JSON what worked."""

import contextlib
import ctypes
import glob
import json
import os
import socket

SECRET = (
    "/run/cuabench/*", "/sys/firmware/qemu_fw_cfg/by_name/opt/cuabench/*/raw", "/proc/1/environ", "/proc/1/fd/*",
    "/proc/1/mem", "/dev/mem", "/dev/port", "/dev/kmsg", "/dev/vd*", "/dev/sd*", "/dev/ttyS*", "/dev/console",
    "/dev/fb*", "/dev/virtio-ports/*", "/dev/vport*", "/dev/vhost*", "/dev/kvm", "/dev/hvc*", "/dev/nvram", "/dev/vcs*",
    "/dev/input/*", "/var/run/docker.sock", "/run/docker.sock", "/var/lib/cuabench/space/logs/*", "/etc/shadow",
    "/proc/sysrq-trigger", "/sys/power/state", "/sys/fs/cgroup/**/release_agent", "/proc/sys/kernel/core_pattern",
    "/opt/cuabench/desktop/guest/box.py", "/sys/kernel/debug/*", "/proc/kcore",
)  # fmt: skip
TOLD = (
    "/run/cuabench/desktop",
    "/opt/cuabench/desktop/guest/box.py",
    "/proc/sys/kernel/core_pattern",
    "/sys/power/state",
)  # may be read
HOSTS = (
    "10.0.2.2",
    "10.0.2.3",
    "10.0.2.4",
    "172.17.0.1",
    "192.0.2.1",
    "169.254.169.254",
    "fec0::2",
    "fe80::2",
)
ROUTER = (
    "10.0.2.2",
    "10.0.2.3",
    "fec0::2",
)  # of a virtual machine, which refuses by itself what it passes nowhere
PORTS = (22, 53, 80, 111, 445, 2375, 8000, LISTENED)  # noqa: F821 - the last one the test listens at


def opened(path: str) -> str:
    """Return in which way a file can be opened."""
    for flags, how in ((os.O_WRONLY, "w"), (os.O_RDONLY, "r")):
        with contextlib.suppress(OSError):
            os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
            return how
    return ""


def reached(host: str, port: int) -> bool:
    """Whether somebody answers at an address, if only by refusing to."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as stream:
        stream.settimeout(0.05)
        try:
            stream.connect((host, port))
        except ConnectionRefusedError:
            return host not in ROUTER
        except OSError:
            return False
        return True


found = [path for pattern in SECRET for path in glob.glob(pattern, recursive=True)]
worked = [f"{path}: {how}" for path in found if (how := opened(path)) and not (how == "r" and path in TOLD)]
worked += [f"{host}:{port}" for host in HOSTS for port in PORTS if reached(host, port)]
for number in (0, 1):
    with contextlib.suppress(OSError):
        os.kill(1, number)
        worked.append(f"signal {number} to the first process")
for name, arguments in {"setuid": (0,), "chroot": (b"/tmp",), "sethostname": (b"x", 1), "iopl": (3,)}.items():
    call = getattr(ctypes.CDLL(None), name, None)
    if call and call(*arguments) == 0:
        worked.append(name)
print(json.dumps({"worked": worked, "uid": os.getuid()}))  # noqa: T201
