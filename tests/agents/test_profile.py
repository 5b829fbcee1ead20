"""A name becomes an agent: by a profile, a file, or a class; what is wrong with it is said in one sentence."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents import profile
from pytest_cuabench.agents.builtin.noop import NoopAgent
from pytest_cuabench.agents.builtin.random import RandomAgent
from pytest_cuabench.agents.profile import Profile, agent_factory, choose_agent, known_profiles, load_profile
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library

SHIPPED = sorted(file.stem for file in library.AGENTS.glob("*.toml"))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's project."""
    (tmp_path / "agents").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def write(file: Path, text: str) -> str:
    """Write a file and return its name."""
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    return file.name


def refusal(name: str, root: Path) -> str:
    """Return the sentence with which a name is refused."""
    with pytest.raises(SettingError) as refused:
        choose_agent(name, root).make()
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_profiles(name: str, root: Path) -> None:
    """Every shipped profile is well formed and says what it is."""
    profile = load_profile(name, root)
    assert profile.name == name
    assert profile.description


@pytest.mark.parametrize("name", ["noop", "oracle", "human", "random"])
def test_agents_without_a_key(name: str, root: Path) -> None:
    """The agents that cost nothing can be made without any setting."""
    chosen = choose_agent(name, root)
    agent = chosen.make()
    assert chosen.name == name
    assert chosen.headed is (name == "human")
    assert all(callable(getattr(agent, method)) for method in ("start", "decide", "close"))


def test_each_agent_is_new(root: Path) -> None:
    """Two instances do not share a player."""
    chosen = choose_agent("noop", root)
    assert chosen.make() is not chosen.make()


def test_argument(root: Path) -> None:
    """What stands behind a colon is handed to the adapter, and is part of the name."""
    chosen = choose_agent("random:7", root)
    assert chosen.profile.argument == "7"
    assert chosen.name == "random:7"
    assert isinstance(chosen.make(), RandomAgent)


def test_replay_without_argument(root: Path) -> None:
    """The replay says what it needs, and names a folder that is not there."""
    assert refusal("replay", root) == "--agent=replay needs a run or a trajectory, such as replay:reports/RUN"
    assert refusal(f"replay:{root}/none", root) == f"--agent=replay: no such folder: {root}/none"


@pytest.mark.parametrize(("name", "meant"), [("orcle", "oracle"), ("randm", "random"), ("Noop", "noop")])
def test_unknown_name_with_suggestion(name: str, meant: str, root: Path) -> None:
    """A name that is nearly right is answered with the right one."""
    sentence = refusal(name, root)
    assert sentence.startswith(f"--agent: no agent named {name!r}; known: ")
    assert sentence.endswith(f", or a path to a .toml file, or module:Class; did you mean --agent={meant}?")
    assert all(known in sentence for known in SHIPPED)


def test_unknown_name_without_suggestion(root: Path) -> None:
    """A name like no other is answered with the known ones only."""
    assert refusal("zzz", root).endswith("or module:Class")


def test_profile_file(root: Path) -> None:
    """A profile may be any TOML file, relative to the project."""
    write(
        root / "mine.toml",
        """
        adapter = "random"
        model = "m-1"
        observation = "marks"
        [options]
        seed = 3
        """,
    )
    chosen = choose_agent("mine.toml", root)
    assert (chosen.name, chosen.profile.model, chosen.profile.options) == ("mine", "m-1", {"seed": 3})
    assert chosen.profile.observation == "marks"
    assert choose_agent(str(root / "mine.toml"), Path("/")).name == "mine"


def test_users_profiles_win(root: Path) -> None:
    """A profile in the project's `agents` folder is found by name, and wins over a shipped one."""
    write(root / "agents" / "mine.toml", 'adapter = "noop"')
    write(root / "agents" / "oracle.toml", 'adapter = "noop"')
    assert isinstance(choose_agent("mine", root).make(), NoopAgent)
    assert isinstance(choose_agent("oracle", root).make(), NoopAgent)
    assert known_profiles(root)["oracle"] == root / "agents" / "oracle.toml"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "adapter is missing"),
        ("adapter = ''", "adapter: string should have at least 1 character"),
        ("adapter = 5", "adapter: input should be a valid string, not 5"),
        ("adapter = 'noop'\nmodle = 'x'", "unknown key modle; known: adapter,"),
        ("adapter = 'noop'\nkey = 'sk-123'", "key: string should match pattern"),
        ("adapter = 'noop'\nobservation = 'video'", "observation: input should be 'screenshot', 'tree',"),
        ("adapter = ", "is not valid TOML: Invalid value"),
        ("\udcff", "is not valid TOML: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_malformed_file(text: str, sentence: str, root: Path) -> None:
    """A malformed profile is named with the file, the key and what is allowed."""
    (root / "mine.toml").write_bytes(text.encode(errors="surrogateescape"))
    refused = refusal("mine.toml", root)
    assert refused.startswith(f"{root}/mine.toml")
    assert sentence in refused


def test_missing_file(root: Path) -> None:
    """A file that is not there is said to be missing."""
    assert refusal("mine.toml", root) == f"{root}/mine.toml is missing"


def test_unknown_adapter(root: Path) -> None:
    """An adapter that is not installed is named with those that are."""
    write(root / "mine.toml", 'adapter = "clippy"')
    sentence = refusal("mine.toml", root)
    assert sentence.startswith("agent 'mine': no adapter named 'clippy'; known: ")
    assert {"noop", "oracle"} <= set(sentence.rpartition(": ")[2].split(", "))


def test_class(root: Path) -> None:
    """A plain class of the user's is an agent, without a profile."""
    write(root / "my_player.py", "class Player:\n    pass\n")
    chosen = choose_agent("my_player:Player", root)
    agent: Any = chosen.make()
    assert chosen.name == "Player"
    assert type(agent).__module__ == "my_player"


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        (
            "nowhere_x:Player",
            "",
            "agent 'Player': no module named 'nowhere_x'; check that it is installed and spelled correctly",
        ),
        ("player_a:Player", "", "cannot import agent 'Player' from 'player_a:Player': AttributeError: "),
        ("player_b:", "", "agent '': 'player_b:' is not a class; expected module:Class"),
        (
            "player_c:VALUE",
            "VALUE = 1",
            "agent 'VALUE': 'player_c:VALUE' is not a class; expected module:Class",
        ),
        (
            "player_d:P",
            "P = 1 / 0",
            "cannot import agent 'P' from 'player_d:P': ZeroDivisionError: division",
        ),
        ("player_e:P", "def", "cannot import agent 'P' from 'player_e:P': SyntaxError: "),
        (
            "player_f:P",
            "import nothing_x",
            "agent 'P': no module named 'nothing_x'; check that it is installed",
        ),
    ],
)
def test_class_that_cannot_be_imported(name: str, code: str, sentence: str, root: Path) -> None:
    """A module or class that is missing or broken is named, with the reason."""
    module = name.partition(":")[0]
    if module != "nowhere_x":
        write(root / f"{module}.py", code)
    assert refusal(name, root).startswith(sentence)


def test_missing_extra(root: Path) -> None:
    """An adapter whose dependencies are not installed says what to type."""
    write(root / "my_adapter.py", "import some_vendors_client")
    write(root / "mine.toml", 'adapter = "my_adapter:Agent"\nextra = "vendor"')
    assert refusal("mine.toml", root) == (
        "agent 'mine' needs the package 'some_vendors_client'; type: pip install 'pytest-cuabench[vendor]'"
    )


def test_missing_key(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent whose key is not set says which variable to set, before anything is imported."""
    write(root / "mine.toml", 'adapter = "not_there:Agent"\nkey = "SOME_VENDOR_API_KEY"')
    assert refusal("mine.toml", root) == (
        "agent 'mine' reads its key from SOME_VENDOR_API_KEY, which is not set; "
        "type: export SOME_VENDOR_API_KEY=..."
    )
    write(root / "mine.toml", 'adapter = "noop"\nkey = "SOME_VENDOR_API_KEY"')
    monkeypatch.setenv("SOME_VENDOR_API_KEY", "secret")
    chosen = choose_agent("mine.toml", root)
    assert "secret" not in repr(chosen.profile)


def test_fixture(root: Path) -> None:
    """`fixture` needs a fixture of the user's, and says so."""
    assert refusal("fixture", root) == (
        "--agent=fixture: define a fixture named 'agent' in your conftest.py that returns your agent"
    )


def test_adapters_come_by_entry_points(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter that another package registers is found by its name and is given the profile."""
    write(
        root / "their_adapter.py", "class Agent:\n    def __init__(self, profile): self.profile = profile\n"
    )
    folder = root / "theirs-1.0.dist-info"
    folder.mkdir()
    write(folder / "METADATA", "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    write(folder / "entry_points.txt", "[pytest_cuabench.agents]\ntheirs = their_adapter:Agent\n")
    write(root / "mine.toml", 'adapter = "theirs"')
    profile = load_profile("mine.toml", root)
    agent: Any = agent_factory(profile)(profile)
    assert agent.profile is profile
    assert re.search(r"known: .*\btheirs\b", refusal(write(root / "other.toml", "adapter = 'x'"), root))
    assert "their_adapter" in sys.modules


def test_a_class_that_wants_its_profile() -> None:
    """A `module:Class` whose constructor wants an argument is given the profile; one that wants none is not."""

    class Wanting:
        def __init__(self, profile: Profile) -> None:
            self.profile = profile

    class Plain:
        pass

    asked = Profile(adapter="x:Y", name="y")
    wanting: Any = profile._accepting(Wanting, needs_profile=False)(asked)
    plain: Any = profile._accepting(Plain, needs_profile=False)(asked)
    assert wanting.profile is asked
    assert isinstance(plain, Plain)


def test_by_adapter(root: Path) -> None:
    """`adapter:name` is the profile of that name, if it has that adapter."""
    write(root / "agents" / "mine.toml", 'adapter = "program"\noptions.command = ["true"]')
    assert load_profile("program:mine", root) == load_profile("mine", root)
    assert refusal("program:noop", root) == (
        "--agent=program:noop: the adapter of agent 'noop' is 'noop', not 'program'; type: --agent=noop"
    )
