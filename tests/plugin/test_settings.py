"""Settings come from the command line, the environment, the ini file or the defaults, in this order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.errors import SettingError
from pytest_cuabench.settings import EXAM_VARIABLE, LAST_OPEN_SEED, OBSERVATIONS, SETTINGS, Setting, Settings
from pytest_cuabench.task.observation import OBSERVATION_KINDS


class FakeConfig:
    """The part of pytest's configuration that settings are read from."""

    rootpath = Path("/project")

    def __init__(self, options: dict[str, str] | None = None, ini: dict[str, str] | None = None) -> None:
        self.options = options or {}
        self.ini = ini or {}

    def getoption(self, name: str) -> str | None:
        """Return what stood on the command line."""
        return self.options.get(name.removeprefix("cua_"))

    def getini(self, name: str) -> str | None:
        """Return what stands in the ini file."""
        return self.ini.get(name.removeprefix("cua_"))


def resolve(options: dict[str, str] | None = None, ini: dict[str, str] | None = None) -> Settings:
    """Return the settings of a session."""
    config: Any = FakeConfig(options, ini)
    return Settings.from_config(config)


def value_of(name: str, text: str) -> Any:
    """Return what a setting becomes."""
    return getattr(resolve({name: text}), name)


def test_defaults() -> None:
    """Without a word of the user nothing is played, and every value has its default."""
    settings = resolve()
    assert not settings.plays
    assert settings.described() == {}
    assert (settings.seeds, settings.epochs, settings.attempts) == ((0,), 1, 3)
    assert (settings.observation, settings.screenshots, settings.reports) == ("screenshot", "on", "reports")
    assert settings.max_steps is settings.max_seconds is settings.run is settings.audit is None
    assert settings.root == Path("/project")


def test_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line wins over the environment, which wins over the ini file; each value tells its source."""
    ini = {"epochs": "2"}
    assert (resolve(ini=ini).epochs, resolve(ini=ini).sources["epochs"]) == (2, "ini cua_epochs")
    monkeypatch.setenv("CUABENCH_EPOCHS", "3")
    assert (resolve(ini=ini).epochs, resolve(ini=ini).sources["epochs"]) == (3, "CUABENCH_EPOCHS")
    settings = resolve({"epochs": "4"}, ini)
    assert (settings.epochs, settings.sources["epochs"]) == (4, "--cua-epochs")
    assert settings.described() == {"epochs": "4 (--cua-epochs)"}


def test_empty_variable_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable that is set to nothing does not count."""
    monkeypatch.setenv("CUABENCH_EPOCHS", "")
    assert resolve(ini={"epochs": "2"}).epochs == 2


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_names(setting: Setting) -> None:
    """A setting has one name, spelled for the command line, the environment and the ini file."""
    assert setting.dest == f"cua_{setting.name}"
    assert setting.variable == f"CUABENCH_{setting.name.upper()}"
    assert setting.option in ("--agent", "--cua-" + setting.name.replace("_", "-"))
    assert setting.name in Settings.__dataclass_fields__
    assert setting.help


def test_observations_are_the_kinds_of_observation() -> None:
    """The choices of `--cua-observation`, written out to import nothing, are those that environments know."""
    assert OBSERVATIONS == OBSERVATION_KINDS


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("0", (0,)), ("0,1,2", (0, 1, 2)), ("0-4", (0, 1, 2, 3, 4)), ("7, 1-2 ,0", (7, 1, 2, 0)), ("3-3", (3,))],
)
def test_seeds(text: str, seeds: tuple[int, ...]) -> None:
    """Seeds are numbers and ranges, played in the order given."""
    assert value_of("seeds", text) == seeds


@pytest.mark.parametrize(
    "text", ["", "a", "-1", "1,", "1,,2", "1,1", "0-2,1", "2-0", "1-", "1.5", "0-99999999", "9" * 5000, "٣"]
)
def test_bad_seeds(text: str) -> None:
    """What is no list of different seeds, or is too long to be meant, is refused with an example."""
    with pytest.raises(SettingError) as refused:
        value_of("seeds", text)
    assert str(refused.value) == (
        f"invalid value for --cua-seeds: {text!r}; "
        "expected up to 10000 different whole numbers, such as 0,1,2 or 0-4"
    )


def test_held_out_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Held-out seeds are drawn from the secret: always the same, none among the open ones, more for a larger number."""
    monkeypatch.setenv(EXAM_VARIABLE, "a secret of twenty-six bytes")
    three, five = value_of("seeds", "held-out:3"), value_of("seeds", "held-out:5")
    assert five[:3] == three
    assert len(set(five)) == 5
    assert min(value_of("seeds", "held-out:2000")) > LAST_OPEN_SEED
    monkeypatch.setenv(EXAM_VARIABLE, "another one, as long as needed")
    assert not set(value_of("seeds", "held-out:5")) & set(five)


def test_open_seeds_end() -> None:
    """A seed that is held out cannot be named, and the sentence says how to draw some."""
    with pytest.raises(
        SettingError, match=r"'1001'; expected seeds up to 1000; .* held-out:5 draws five of them"
    ):
        value_of("seeds", "1001")
    assert value_of("seeds", "1000") == (1000,)


@pytest.mark.parametrize(("secret", "state"), [("", "is not set"), ("short", "has 5 bytes")])
def test_held_out_seeds_need_a_secret(secret: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a secret that cannot be guessed, no seeds are drawn; the sentence does not show it."""
    monkeypatch.setenv(EXAM_VARIABLE, secret)
    with pytest.raises(SettingError, match=f"{EXAM_VARIABLE} {state}; type: export") as refused:
        value_of("seeds", "held-out:3")
    assert "short" not in str(refused.value)


@pytest.mark.parametrize("name", ["epochs", "attempts", "max_steps"])
@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "1e3", "1_000", "9" * 5000])
def test_bad_counts(name: str, text: str) -> None:
    """A count is a whole number from 1."""
    with pytest.raises(SettingError) as refused:
        value_of(name, text)
    option = "--cua-" + name.replace("_", "-")
    assert str(refused.value) == f"invalid value for {option}: {text!r}; expected a whole number of 1 or more"


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "soon"])
def test_bad_seconds(text: str) -> None:
    """Seconds are a finite number above 0."""
    with pytest.raises(SettingError) as refused:
        value_of("max_seconds", text)
    assert str(refused.value) == (
        f"invalid value for --cua-max-seconds: {text!r}; expected a number of seconds above 0"
    )
    assert value_of("max_seconds", "0.5") == 0.5


@pytest.mark.parametrize("name", ["observation", "screenshots", "audit"])
def test_bad_choices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is none of the choices is refused with its source and the choices, wherever it came from."""
    choices = next(setting.choices for setting in SETTINGS if setting.name == name)
    assert choices
    assert all(value_of(name, choice) == choice for choice in choices)
    for source, given in (
        (f"--cua-{name}", ({name: "video"}, {})),
        (f"ini cua_{name}", ({}, {name: "video"})),
    ):
        with pytest.raises(SettingError) as refused:
            resolve(*given)
        assert (
            str(refused.value) == f"invalid value for {source}: 'video'; expected one of {', '.join(choices)}"
        )
    monkeypatch.setenv(f"CUABENCH_{name.upper()}", "video")
    with pytest.raises(SettingError, match=f"^invalid value for CUABENCH_{name.upper()}: 'video'; expected"):
        resolve()


@pytest.mark.parametrize(
    "options", [{"agent": "oracle"}, {"audit": "full"}, {"agent": "x", "audit": "standard"}]
)
def test_plays(options: dict[str, str]) -> None:
    """Something is played when an agent or an audit is asked for."""
    assert resolve(options).plays


SWITCHES = [setting for setting in SETTINGS if setting.choices in (("on",), ("on", "off"))]


@pytest.mark.parametrize("setting", SWITCHES, ids=lambda setting: setting.name)
def test_switches(setting: Setting) -> None:
    """A switch is off or on inside, and recorded as users write it."""
    assert value_of(setting.name, "on") is True
    assert getattr(resolve(), setting.name) is False
    assert resolve({setting.name: "on"}).described() == {setting.name: f"on ({setting.option})"}
    for choice in setting.choices or ():
        assert resolve(ini={setting.name: choice}).described() == {
            setting.name: f"{choice} (ini {setting.dest})"
        }
