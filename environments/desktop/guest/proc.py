"""What /proc tells of the computer and of other boxes: no box shows it.

Standard library only and no other module of this package, because the plugin loads it, too.
"""

from __future__ import annotations

from pathlib import Path

_SECRET = (
    "acpi", "buddyinfo", "cmdline", "config.gz", "diskstats", "interrupts", "iomem", "ioports", "kallsyms", "kcore",
    "key-users", "keys", "latency_stats", "locks", "modules", "pagetypeinfo", "pressure", "sched_debug", "schedstat",
    "scsi", "slabinfo", "softirqs", "sysrq-trigger", "timer_list", "vmallocinfo", "zoneinfo",
)  # fmt: skip


def secret() -> list[Path]:
    """Return the files and folders that this computer has of them."""
    return [path for name in _SECRET if (path := Path("/proc", name)).exists()]
