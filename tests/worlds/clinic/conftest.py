"""Starts the clinic as a process of its own and talks to it the way a plugin and a browser do."""

import contextlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from breadth import SEEDS

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAM = REPOSITORY / "environments" / "clinic"
KIT = REPOSITORY / "environments" / "kit"
FIXTURES = REPOSITORY / "fixtures" / "clinic"
ROLES = {  # who signs in where
    "bed_management": "bed_manager",
    "doctor_prescription": "prescriber",
    "ecg_workstation": "reader",
    "emergency_triage": "triage_nurse",
    "endoscopy": "endoscopist",
    "icu_bedside": "bedside_nurse",
    "icu_central": "monitor_nurse",
    "imaging_console": "technologist",
    "infusion_pump": "bedside_nurse",
    "nurse_station": "ward_nurse",
    "nursing_assessment": "bedside_nurse",
    "nursing_documentation": "shift_nurse",
    "outpatient_pharmacy": "pharmacist",
    "radiation_tps": "planner",
    "ultrasound": "sonologist",
}


def start_process(socket: Path, *more: str, program: Path = PROGRAM) -> subprocess.Popen[str]:
    """Start the program with pipes; the caller reads the ready line."""
    command = [sys.executable, "-m", "clinic", "--listen", "127.0.0.1:0", "--control", str(socket)]
    return subprocess.Popen(
        [*command, "--fixtures", str(FIXTURES), *more],
        cwd=program,
        env=os.environ | {"PYTHONHASHSEED": "random", "PYTHONPATH": f"{program}{os.pathsep}{KIT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@dataclass
class Session:
    """One session: its control routes and a browser without a screen."""

    control: httpx.Client
    port: int
    described: dict[str, Any]
    browser: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.browse()

    def browse(self) -> None:
        """Point a fresh browser at the origin of the session."""
        host = self.described["origin"].removeprefix("http://")
        headers = {"host": host, "origin": self.described["origin"]}
        self.browser = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, timeout=60)

    @property
    def path(self) -> str:
        return f"/sessions/{self.described['id']}"

    def state(self) -> dict[str, Any]:
        return self.control.get(f"{self.path}/state").json()

    def rows(self, collection: str) -> dict[str, dict[str, Any]]:
        return self.state()["collections"][collection]

    def journal(self, collection: str) -> list[dict[str, Any]]:
        return [entry for entry in self.state()["journal"] if entry["collection"] == collection]

    def requests(self) -> list[dict[str, Any]]:
        return self.control.get(f"{self.path}/requests").json()["requests"]

    def user(self, role: str = "triage_nurse") -> dict[str, Any]:
        return next(user for user in self.rows("users").values() if user["role"] == role)

    def login(self, role: str = "triage_nurse") -> httpx.Response:
        user = self.user(role)
        return self.post("/login", user_id=user["user_id"], password=user["password"])

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.browser.get(path, **options)

    def post(self, path: str, **form: str) -> httpx.Response:
        return self.browser.post(path, data=form)

    def patient(self, *presentations: str) -> dict[str, Any]:
        return next(row for row in self.rows("patients").values() if row["presentation"] in presentations)

    def chart(self, *presentations: str, tab: str = "") -> str:
        """Return the address of a chart or of one of its tabs."""
        return f"/chart/{self.patient(*presentations)['mrn']}" + (f"/{tab}" if tab else "")


@dataclass
class World:
    """A running program."""

    process: subprocess.Popen[str]
    ready: dict[str, Any]
    control: httpx.Client

    @property
    def port(self) -> int:
        return int(self.ready["listen"].rpartition(":")[2])

    def open(self, seed: int = 0, application: str = "emergency_triage") -> Session:
        answer = self.control.post("/sessions", json={"application": application, "seed": seed})
        assert answer.status_code == 201, answer.text
        return Session(self.control, self.port, answer.json())

    def start(self, seed: int, application: str = "emergency_triage") -> dict[str, Any]:
        """Return the state at the start of a seed; its session is closed again."""
        session = self.open(seed, application)
        state = session.state()
        session.browser.close()
        self.control.delete(session.path)
        return state


@contextlib.contextmanager
def running(socket: Path) -> Iterator[World]:
    """Run the program until the block ends."""
    with start_process(socket, "--until-eof") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        ready = json.loads(process.stdout.readline())
        with httpx.Client(
            transport=httpx.HTTPTransport(uds=str(socket)), base_url="http://control", timeout=60
        ) as control:
            yield World(process, ready, control)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0, process.stderr.read()


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A program for all tests; each opens sessions of its own."""
    with running(tmp_path_factory.mktemp("clinic") / "control") as started:
        yield started


@pytest.fixture
def another_world(tmp_path: Path) -> Iterator[World]:
    """A second program, to compare processes."""
    with running(tmp_path / "control") as started:
        yield started


@pytest.fixture(scope="module")
def application(request: pytest.FixtureRequest) -> str:
    """Which application the sessions of a module are of: the one in its name, else emergency triage."""
    name = request.path.stem.removeprefix("test_clinic_").removesuffix("_seeds")
    return name if name in ROLES else "emergency_triage"


@pytest.fixture(scope="module")
def role(application: str) -> str:
    """Who signs in."""
    return ROLES[application]


@pytest.fixture(scope="module", params=SEEDS)
def state(request: pytest.FixtureRequest, world: World, application: str) -> dict[str, Any]:
    """The state at the start of a seed."""
    return world.start(request.param, application)


@pytest.fixture
def start(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The collections at the start of a seed."""
    return state["collections"]


@pytest.fixture
def open_session(world: World, application: str) -> Iterator[Callable[..., Session]]:
    """Opens sessions that end with the test."""
    opened: list[Session] = []

    def start(seed: int = 0) -> Session:
        opened.append(world.open(seed, application))
        return opened[-1]

    yield start
    for session in opened:
        session.browser.close()
        world.control.delete(session.path)


@pytest.fixture
def session(open_session: Callable[..., Session], role: str) -> Session:
    """A session with somebody signed in."""
    started = open_session()
    started.login(role)
    return started


@pytest.fixture
def start_clinic() -> Callable[..., subprocess.Popen[str]]:
    """Starts further processes; the test ends them."""
    return start_process


@pytest.fixture(scope="session")
def presentations() -> dict[str, Any]:
    """The written presentations with what is right for each."""
    return tomllib.loads((FIXTURES / "emergency_triage" / "presentations.toml").read_text())
