"""The pytest plugin: hooks only; each one calls into a module that does the work.

Installed but unused it prints nothing, and imports nothing beyond pytest and a few small modules of its own.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_cuabench.errors import CuabenchError, RecordFailure, SettingError
from pytest_cuabench.fixtures import (
    CHOOSE,
    agent,
    attempt,
    cua_loop,
    cua_pool,
    cua_run,
    cua_settings,
    environment,
)
from pytest_cuabench.keys import ATTEMPTS, CHOSEN, FIRST_WORKER, PAST, RUN, SETTINGS
from pytest_cuabench.settings import Settings, add_options

__all__ = ["agent", "attempt", "cua_loop", "cua_pool", "cua_run", "cua_settings", "environment"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Resolve the settings, choose the agent, and lead the run where there is one."""
    config.addinivalue_line(
        "markers", "task(id, suite, application, domain, difficulty, variant, seed, template): a task"
    )
    config.addinivalue_line("markers", "erratum(reason): something is known to be wrong with the task")
    try:
        settings = config.stash[SETTINGS] = Settings.from_config(config)
        if settings.suite:
            _collect_suite(config, settings.suite)
        if settings.shard:
            from pytest_cuabench.shard import Sharding

            # Before a dry run, which takes everything out that is left.
            config.pluginmanager.register(Sharding.of(settings), "cuabench-shard")
        if settings.plays:
            _join_run(config, settings)
        elif settings.gate_asked:
            raise SettingError(f"{settings.sources['gate']}: there is no run to judge; {CHOOSE}")
    except SettingError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take our state off again."""
    for key in (SETTINGS, RUN, CHOSEN, PAST, FIRST_WORKER):
        _take_off(config.stash, key)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker which run it belongs to."""
    if RUN in node.config.stash:
        node.workerinput["cuabench_run"] = str(node.config.stash[RUN].folder)
        node.workerinput["cuabench_plans"] = node is node.config.stash.setdefault(FIRST_WORKER, node)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests of suites."""
    if "instance" in metafunc.fixturenames:
        from pytest_cuabench.collect import parametrize

        parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Write down what is going to be played; here all that was deselected is gone."""
    if RUN in session.config.stash:
        from pytest_cuabench.plan import keep_plan

        try:
            keep_plan(session)
        except RecordFailure as failure:
            _stop(session, failure)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show an error of ours as its sentence; no traceback is even made, which costs more than the sentence."""
    error = call.excinfo
    if error is None or not isinstance(error.value, CuabenchError):
        report = yield
        if report.skipped and RUN in item.config.stash:
            from pytest_cuabench.plan import keep_skip

            try:
                keep_skip(item, report)
            except RecordFailure as failure:
                _stop(item.session, failure)
        return report
    if isinstance(error.value, RecordFailure) and RUN in item.config.stash:
        _stop(item.session, error.value)
    sentence = pytest.fail.Exception(str(error.value), pytrace=False)
    call.excinfo = pytest.ExceptionInfo.from_exception(sentence.with_traceback(error.tb))
    try:
        report = yield
    finally:
        call.excinfo = error  # for other plugins it stays an error, and no failed assertion
    report.longrepr = str(error.value)
    return report


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Tell Allure what was played, while its result of the item is still open."""
    result = yield
    if attempts := item.stash.get(ATTEMPTS, None):
        from pytest_cuabench.reporting.allure import tell

        _make_videos(item, attempts)
        tell(item.config, item, attempts, item.config.stash[RUN])
        _keep_pictures(item, attempts)
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to choose an agent, where suites were skipped for the lack of one."""
    skipped = [report for report in terminalreporter.getreports("skipped") if CHOOSE in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"cuabench: {len(skipped)} instances were skipped; {CHOOSE}")


def _take_off(stash: pytest.Stash, key: pytest.StashKey[Any]) -> None:
    if key in stash:
        del stash[key]


def _stop(session: pytest.Session, failure: RecordFailure) -> None:
    """End the session: to play what cannot be recorded would be money for nothing."""
    from pytest_cuabench.runs import resuming

    session.shouldstop = f"{failure}; go on later by {resuming(session.config)}"


def _collect_suite(config: pytest.Config, name: str) -> None:
    from pytest_cuabench.suite import suite_folder

    config.args[:] = [str(suite_folder(name))]


def _join_run(config: pytest.Config, settings: Settings) -> None:
    from pytest_cuabench.profile import choose_agent
    from pytest_cuabench.runs import join_run, lead_run

    if settings.agent:
        config.stash[CHOSEN] = choose_agent(settings.agent, settings.root, keyless=bool(settings.dry_run))
        if settings.dry_run or settings.max_cost:
            from pytest_cuabench.dry_run import prepare

            prepare(config, settings, config.stash[CHOSEN])
    if settings.dry_run:
        return
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    config.stash[RUN] = (
        join_run(config, settings, worker) if worker is not None else lead_run(config, settings)
    )


def _make_videos(item: pytest.Item, attempts: list[Any]) -> None:
    which = item.config.stash[SETTINGS].video
    if which != "off":
        from pytest_cuabench.reporting.video import try_to_make_videos

        try_to_make_videos(item, attempts, item.config.stash[RUN], which)


def _keep_pictures(item: pytest.Item, attempts: list[Any]) -> None:
    from pytest_cuabench.runs import drop_pictures_of_successes

    if item.config.stash[SETTINGS].screenshots == "retain-on-failure":
        drop_pictures_of_successes(item.config.stash[RUN], attempts)
