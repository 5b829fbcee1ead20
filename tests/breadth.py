"""How many seeds a test of generated content is played on: four, and twenty at night."""

import pytest

SEEDS = tuple(pytest.param(seed, marks=pytest.mark.nightly if seed >= 4 else ()) for seed in range(20))
