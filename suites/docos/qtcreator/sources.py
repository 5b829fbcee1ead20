"""The source file that is open when a task begins."""

from __future__ import annotations

from random import Random

from ..toolkit.steps import Steps, file

_NOUNS = ("amber", "copper", "ember", "flint", "grove", "juniper", "kelp", "linden")
_VERBS = ("count", "gather", "measure", "weigh")


def setup(random: Random) -> Steps:
    """Open a short program in C++, the same as in other tasks but for its names."""
    noun, verb = random.choice(_NOUNS), random.choice(_VERBS)
    text = (
        f"#include <string>\n\nint {verb}(const std::string &{noun})\n{{\n    int found = 0;\n"
        f"    for (char one : {noun})\n        found += one == 'x';\n    return found;\n}}\n"
    )
    yield from file(f"work/{noun}.cpp", text)
