"""A small suite to run inside of tests, and what makes many sessions in one process cheap."""

from __future__ import annotations

import gc
import shutil
import signal
import ssl
import sys
import tracemalloc  # noqa: F401 - pytest imports it in a finalizer, where a second one may meet half of the module
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from small_world import Table

# A busy machine is no failure; and what passes once passes again: only the nightly run looks for further examples.
for profile, same in (("cuabench", True), ("nightly", False)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=60 if same else 600,
        derandomize=same,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("cuabench")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage meanwhile, which takes a quarter of the time, and never look at the tests, which stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# They are copied into projects that tests make, and never run where they lie.
collect_ignore = ["sample_suite", "desktop_suite", "late_suite"]
sys.path.insert(0, str(Path(__file__).parent))  # a folder's helpers are imported as `drivers.pages`
from dealing import pytest_collection_modifyitems as pytest_collection_modifyitems  # noqa: E402

SAMPLE = Path(__file__).parent / "sample_suite"
PACKAGE = "cuabench_suite_sample"
DESK_DRIVER = '''
"""The fake world of `conftest.py` as a driver whose environments may be played in at the same time."""
from pytest_cuabench.drivers.driver import Driver
from pytest_cuabench.testing import FakeEnvironment

from .fake import react


class DeskDriver(Driver):
    def concurrent(self, suite, place):
        return True

    def open(self, context):
        return FakeEnvironment({"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}, react)
'''


def pytest_configure(config: pytest.Config) -> None:
    """Turn warnings into errors where only tests of the plugin are asked for; suites are played without this."""
    paths = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    if all(path.resolve().is_relative_to(Path(__file__).parent) for path in paths):
        config.addinivalue_line("filterwarnings", "error")
        # pytester runs inside of a run: its inner sessions end before their sockets are collected.
        config.addinivalue_line("filterwarnings", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def every_test_is_hermetic(hermetic: None) -> None:
    """No test sees a user's settings."""


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Reading the certificates for each client takes longer than most tests, and no test speaks TLS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def distributions_read_once() -> Iterator[None]:
    """Each session lists all files and plugins of all distributions; within this process they stay the same."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("files", "entry_points"):
            patch.setattr(metadata.PathDistribution, name, _read_once(name), raising=False)
        yield


def _read_once(name: str) -> property:
    read = getattr(metadata.Distribution, name).fget
    known = cache(lambda path: read(metadata.PathDistribution(path)))
    return property(lambda found: known(found._path))


@pytest.fixture(autouse=True)
def sample_forgotten() -> Iterator[None]:
    """The sample suite that a test loads is forgotten after it: the next test has its own in another folder."""
    before = _of_the_sample()
    yield
    for name in _of_the_sample() - before:
        del sys.modules[name]


def _of_the_sample() -> set[str]:
    """Return the names of the sample suite's modules; most tests load none, and need not look through all."""
    return (
        {name for name in tuple(sys.modules) if name.startswith(PACKAGE)} if PACKAGE in sys.modules else set()
    )


@pytest.fixture
def sample(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a suite of three tasks on a fake world, to be run with `pytest suites/sample`."""
    shutil.copytree(SAMPLE, pytester.path / "suites" / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    pytester.makeini("[pytest]\n")
    return pytester


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """A server of S3's protocol on this computer."""
    pytest.importorskip("s3fs", reason="S3 needs more; type: pip install 'pytest-cuabench[s3]'")
    server = pytest.importorskip(
        "moto.server", reason="the server needs more; type: pip install 'moto[s3,server]'"
    )
    started = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


@pytest.fixture
def desk(sample: pytest.Pytester) -> pytest.Pytester:
    """The sample suite on a driver of its own instead of a fixture."""
    suite = sample.path / "suites" / "sample"
    text = (suite / "conftest.py").read_text()
    (suite / "fake.py").write_text(text.partition("@pytest.fixture")[0])
    (suite / "conftest.py").unlink()
    (suite / "desk_driver.py").write_text(DESK_DRIVER)
    about = suite / "suite.toml"
    about.write_text(about.read_text().replace('driver = "chromium"', 'driver = "desk_driver:DeskDriver"'))
    return sample


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A place to play at without a computer and without pytest, with a run's folder of its own."""
    from small_world import Table

    return Table(tmp_path / "run")


@pytest.fixture(scope="session")
def at_work_for_seconds() -> Callable[[float], AbstractContextManager[None]]:
    """A context that ends what takes more of this process's own time; waiting does not count."""
    return _at_work_for_seconds


@contextmanager
def _at_work_for_seconds(most: float) -> Iterator[None]:
    """Stop what would work for ever, as patterns may that try every way to read a text."""

    def stop(*_: object) -> None:
        raise AssertionError(f"still at work after {most:g} s of this process's own time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
