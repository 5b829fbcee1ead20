"""Run inside of a box: tries what the kernel offers, and prints as JSON what worked. Standard library only."""

import ctypes
import errno
import json
import mmap
import os
import platform
import socket
import stat

X86 = platform.machine() == "x86_64"
LIBC = ctypes.CDLL(None, use_errno=True)
BUFFER = ctypes.create_string_buffer(4096)
DENIED = {
    # name: number on x86_64, number on aarch64, arguments
    "add_key": (248, 217, (b"user", b"cuabench", b"x", 1, -4)),
    "request_key": (249, 218, (b"user", b"cuabench", 0, -4)),
    "keyctl, the session's": (250, 219, (0, -3, 1)), "keyctl, a description": (250, 219, (6, -4, BUFFER, 4096)),
    "mq_open": (240, 180, (b"cuabench", os.O_CREAT | os.O_RDWR, 0o600, 0)), "bpf": (321, 280, (0, BUFFER, 128)),
    "perf_event_open": (298, 241, (BUFFER, 0, -1, -1, 0)), "userfaultfd": (323, 282, (1,)),
    "io_uring_setup": (425, 425, (1, BUFFER)), "fanotify_init": (300, 262, (0, 0)), "kcmp": (312, 272, (1, 1, 0, 0, 0)),
    "syslog": (103, 116, (10, 0, 0)), "name_to_handle_at": (303, 264, (-100, b"/", BUFFER, BUFFER, 0)),
    "open_by_handle_at": (304, 265, (3, BUFFER, 0)), "memfd_secret": (447, 447, (0,)),
    "unshare": (272, 97, (1 << 28,)),
    "setns": (308, 268, (0, 0)), "mount": (165, 40, (b"none", b"/tmp", b"tmpfs", 0, 0)), "chroot": (161, 51, (b"/",)),
    "pivot_root": (155, 41, (b"/tmp", b"/tmp")), "fsopen": (430, 430, (b"tmpfs", 0)),
    "open_tree": (428, 428, (-100, b"/", 1)),
    "adjtimex": (159, 171, (BUFFER,)), "settimeofday": (164, 170, (BUFFER, 0)), "swapon": (167, 224, (b"/tmp/x", 0)),
    "acct": (163, 89, (0,)), "quotactl": (179, 60, (0, 0, 0, 0)), "reboot": (169, 142, (0, 0, 0, 0)),
    "sethostname": (170, 161, (b"box", 3)), "clone, a user": (56, 220, (1 << 28 | 17, 0, 0, 0, 0)),
    "personality, readable is executable": (135, 92, (0x0400000,)), "the newest": (467, 467, ()),
    "unknown": (9999, 9999, ()),
}  # fmt: skip
SOCKETS = {
    "packet": (17, socket.SOCK_DGRAM, 0), "vsock": (40, socket.SOCK_STREAM, 0), "alg": (38, socket.SOCK_SEQPACKET, 0),
    "netlink, devices": (16, socket.SOCK_RAW, 15),
    "bluetooth": (31, socket.SOCK_RAW, 1), "can": (29, socket.SOCK_RAW, 1),
}  # fmt: skip
OWN = ("/tmp", "/dev", "/proc", "/run/user", "/var/tmp")
SECRET = (
    "keys",
    "key-users",
    "locks",
    "cmdline",
    "timer_list",
    "kallsyms",
    "modules",
    "interrupts",
    "schedstat",
)


def called(number: int, arguments: tuple) -> bool:
    """Whether a system call does something other than refuse."""
    ctypes.set_errno(0)
    made = LIBC.syscall(
        ctypes.c_long(number), *(ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    )
    if made == 0 and number in (56, 220):
        os._exit(0)
    return not (made == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS))


def old(number: int) -> bool:
    """Whether a system call of 32-bit programs is there: by `int 0x80`, run by a child because it may be killed."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8" + number.to_bytes(4, "little") + b"\xcd\x80\xc3")  # mov eax, number; int 0x80; ret
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    if (child := os.fork()) == 0:
        os._exit(0 if call() >= 0 else 1)
    return os.waitpid(child, 0)[1] == 0


def opened(family: int, kind: int, protocol: int) -> bool:
    """Whether a socket of a family can be made."""
    try:
        socket.socket(family, kind, protocol).close()
    except OSError:
        return False
    return True


def typed() -> bool:
    """Whether a program can type into its terminal."""
    _, theirs = os.openpty()
    return LIBC.ioctl(theirs, 0x5412, b"x") == 0 or ctypes.get_errno() != errno.EPERM


def read(name: str) -> bool:
    """Whether a file of /proc says anything."""
    try:
        with open(f"/proc/{name}", "rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def changed(path: str) -> bool:
    """Whether a file that belongs to others can be changed, without a change of it."""
    try:
        os.chmod(path, stat.S_IMODE(os.stat(path).st_mode))
    except OSError:
        return False
    return True


worked = [name for name, (x86, arm, given) in DENIED.items() if called(x86 if X86 else arm, given)]
worked += [f"a socket: {name}" for name, given in SOCKETS.items() if opened(*given)]
worked += [f"/proc/{name}" for name in SECRET if read(name)]
if typed():
    worked.append("typing into a terminal")
if X86 and called(0x40000000 + 39, ()):
    worked.append("x32")
if X86 and old(20):
    worked.append("32 bits")
with open("/proc/self/mountinfo") as mounts:
    mounted = [line.split()[3:5] for line in mounts]
paths = [path for path, _ in mounted]
seen = {place for _, place in mounted if not place.startswith(OWN) and place != os.environ["HOME"]}
worked += [f"changing {place}" for place in sorted(seen) if changed(place)]
print(json.dumps({"worked": worked, "uid": os.getuid(), "paths": paths}))  # noqa: T201
