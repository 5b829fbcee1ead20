"""The source files that are open when a task begins."""

from __future__ import annotations

from random import Random

from ..toolkit.steps import Steps, file

_WORDS = "amber birch copper delta ember flint grove harbour indigo juniper kelp linden maple north opal pine".split()


def setup(random: Random) -> Steps:
    """Open a short program in C++, the same as in other tasks but for its names."""
    noun, verb = random.sample(_WORDS, 2)
    text = (
        f"#include <string>\n\nint {verb}(const std::string &{noun})\n{{\n    int found = 0;\n"
        f"    for (char one : {noun})\n        found += one == 'x';\n    return found;\n}}\n"
    )
    yield from file(f"work/{noun}.cpp", text)
