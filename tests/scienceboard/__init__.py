"""Tests of how the suite scienceboard plays ScienceBoard's published task files."""

from pytest_cuabench.task import library
from pytest_cuabench.task.suite import code_package

code_package(library.SUITES / "scienceboard")  # the suite's code can be imported from here on
