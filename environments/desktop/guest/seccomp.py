"""The filter of system calls of every box: what no program of a desktop or of an agent needs is denied.

What is denied fails with an error, so that programs go on. What the kernel learned later than `_LAST`, 32-bit calls and
those of x32 do not exist. Standard library only and no other module of this package, because the plugin loads it, too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator, Sequence
from functools import cache

# Numbers on x86_64 and aarch64; None where an architecture does not have the call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # keys, which belong to a user and outlive a process
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # message queues count for a user; System V's and shared memory are the box's own
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    # large parts of the kernel that watch or change more than a process
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "kcmp": (312, 272), "syslog": (103, 116),
    "lookup_dcookie": (212, 18), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "statmount": (457, 457), "listmount": (458, 458),
    # the machine
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "create_module": (174, None),
    "query_module": (178, None), "get_kernel_syms": (177, None), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "sethostname": (170, 161),
    "setdomainname": (171, 162), "vhangup": (153, 58), "nfsservctl": (180, 42), "uselib": (134, None),
    "_sysctl": (156, None), "sysfs": (139, None), "ustat": (136, None), "iopl": (172, None), "ioperm": (173, None),
    "modify_ldt": (154, None),
}  # fmt: skip
_ASKED = {  # what depends on arguments
    "clone": (56, 220), "clone3": (435, 435), "ioctl": (16, 29), "personality": (135, 92), "socket": (41, 198),
}  # fmt: skip
_MACHINES = {
    "x86_64": (0, 0xC000003E),
    "aarch64": (1, 0xC00000B7),
}  # column above, and the kernel's AUDIT_ARCH
_LAST = 462  # mseal
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEW*, whichever kind; `clone` cannot make one of time
_TERMINAL = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX, which type into a terminal
_PERSONALITIES = (0, 0x0040000, 0xFFFFFFFF)  # the usual one, addresses in order (debuggers), and asking
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_ROUTE = 0  # the protocol of netlink that lists interfaces

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF's instructions
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2  # of prctl
_INSTRUCTION = 8  # bytes
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_Instruction = tuple[int, int, int, int]


def denied(machine: str) -> dict[str, int]:
    """Return the calls that always fail, with their numbers on an architecture."""
    column, _ = _MACHINES[machine]
    return {name: number for name, both in _DENIED.items() if (number := both[column]) is not None}


@cache
def program(machine: str = "", allowed: tuple[str, ...] = ()) -> bytes:
    """Return the filter as bubblewrap's `--seccomp` reads it; of this machine unless another is named.

    Args:
        allowed: Names of calls that are not denied.

    Raises:
        OSError: No numbers are known of this architecture.
    """
    machine = machine or os.uname().machine
    if machine not in _MACHINES:
        raise OSError(
            errno.ENOSYS, f"system calls of {machine} cannot be filtered; use one of {[*_MACHINES]}"
        )
    return b"".join(struct.pack("=HBBI", *one) for one in _instructions(machine, allowed))


def restrict(allowed: tuple[str, ...] = ()) -> None:
    """Filter the calls of this process, which must have one thread, and of all that it starts from now on.

    Raises:
        OSError: The system does not allow it.
    """
    call = ctypes.CDLL(None, use_errno=True).prctl
    code = program("", allowed)
    kept = ctypes.create_string_buffer(code, len(code))
    about = struct.pack("@HP", len(code) // _INSTRUCTION, ctypes.addressof(kept))  # struct sock_fprog
    if call(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or call(_SECCOMP, _FILTER, about, 0, 0):
        raise OSError(ctypes.get_errno(), "system calls cannot be filtered")


def _instructions(machine: str, allowed: tuple[str, ...]) -> Iterator[_Instruction]:
    column, architecture = _MACHINES[machine]
    absent, forbidden = _fails(errno.ENOSYS), _fails(errno.EPERM)
    asked = {name: numbers[column] for name, numbers in _ASKED.items()}
    yield _load(_ARCHITECTURE)
    yield from (_when(_EQUAL, architecture, 1, 0), absent)
    yield _load(_NUMBER)
    yield from (_when(_AT_LEAST, _LAST + 1, 0, 1), absent)
    for name, number in denied(machine).items():
        if name not in allowed:
            yield from (_when(_EQUAL, number, 0, 1), forbidden)
    yield from (
        _when(_EQUAL, asked["clone3"], 0, 1),
        absent,
    )  # its flags are in memory; the C library then uses clone
    yield from _only(asked["clone"], [_load(_argument(0)), _when(_ANY_BIT, _NEW_NAMESPACES, 0, 1), forbidden])
    yield from _only(asked["ioctl"], [_load(_argument(1)), *_each(_TERMINAL, forbidden)])
    yield from _only(
        asked["personality"], [_load(_argument(0)), *_each(_PERSONALITIES, _allows()), forbidden]
    )
    yield from _only(asked["socket"], [*_sockets(), _fails(errno.EAFNOSUPPORT)])
    yield _allows()


def _sockets() -> Iterator[_Instruction]:
    yield _load(_argument(0))
    yield from _each((_UNIX, _INET, _INET6), _allows())
    yield from (_when(_EQUAL, _NETLINK, 0, 3), _load(_argument(2)), _when(_EQUAL, _ROUTE, 0, 1), _allows())


def _only(number: int, then: Sequence[_Instruction]) -> Iterator[_Instruction]:
    """Yield what is asked of one call alone; a call that comes to the end of it is allowed."""
    yield from (_when(_EQUAL, number, 0, len(then) + 1), *then, _allows())


def _each(values: Sequence[int], then: _Instruction) -> Iterator[_Instruction]:
    for value in values:
        yield from (_when(_EQUAL, value, 0, 1), then)


def _when(how: int, value: int, yes: int, no: int) -> _Instruction:
    """Compare what is loaded, and skip so many instructions."""
    return how, yes, no, value


def _load(offset: int) -> _Instruction:
    return _LOAD, 0, 0, offset


def _argument(number: int) -> int:
    """Return the offset of an argument's lower half, in which all that is asked here lies."""
    return 16 + 8 * number


def _fails(number: int) -> _Instruction:
    return _RETURN, 0, 0, _ERROR | number


def _allows() -> _Instruction:
    return _RETURN, 0, 0, _ALLOW
