"""The pytest plugin: hooks only; each one calls into a module that does the work.

Installed but unused it prints nothing, and imports nothing beyond pytest and a few small modules of its own.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from traceback import clear_frames, walk_tb
from types import TracebackType
from typing import Any

import pytest

from pytest_cuabench.collection import session_loop
from pytest_cuabench.collection.fixtures import (
    CHOOSE,
    agent,
    attempt,
    cua_pool,
    cua_run,
    cua_settings,
    environment,
)
from pytest_cuabench.collection.stash import (
    ATTEMPTS,
    CHOSEN,
    FIRST_WORKER,
    KEY,
    PAST,
    RUN,
    SETTINGS,
    TRACEBACK,
)
from pytest_cuabench.errors import STOPS_RUN, CuabenchError, RecordFailure, SettingError
from pytest_cuabench.settings import KEY_VARIABLE, Settings, add_options, refuse_unknown_options
from pytest_cuabench.task.text import printed, tell, visible

__all__ = ["agent", "attempt", "cua_pool", "cua_run", "cua_settings", "environment"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Refuse unknown options of ours, and take the key of ledgers out of the environment before others inherit it."""
    try:
        refuse_unknown_options(args)
    except SettingError as error:
        raise pytest.UsageError(printed(str(error))) from error
    if os.environ.get(KEY_VARIABLE):
        from pytest_cuabench.ledger.signing import take_key

        if key := take_key():
            early_config.stash[KEY] = key


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Resolve the settings, choose the agent, and lead the run where there is one."""
    config.addinivalue_line(
        "markers", "task(id, suite, application, domain, difficulty, variant, seed, template): a task"
    )
    config.addinivalue_line("markers", "erratum(reason): something is known to be wrong with the task")
    session_loop.ignore_unset_scope()
    worker = getattr(config, "workerinput", {})
    if "cuabench_cluster" in worker:
        from pytest_cuabench.collection.ray_workers import set_up

        set_up(worker["cuabench_cluster"])
    if "cuabench_ships" in worker:
        from pytest_cuabench.collection.shipping import take_variables

        take_variables(worker)
    try:
        settings = config.stash[SETTINGS] = Settings.from_config(config)
        if settings.suite:
            _collect_suite(config, settings.suite)
        if settings.shard:
            from pytest_cuabench.collection.shard import Sharding

            # Before a dry run, which takes everything out that is left.
            config.pluginmanager.register(Sharding.of(settings), "cuabench-shard")
        if settings.plays:
            from pytest_cuabench.drivers.scratch import check_temporary

            check_temporary()
            session_loop.require_asyncio(config)
            _join_run(config, settings)
        elif settings.gate_asked:
            raise SettingError(f"{settings.sources['gate']}: there is no run to judge; {CHOOSE}")
    except SettingError as error:
        raise pytest.UsageError(printed(str(error))) from error


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take our state off again."""
    for key in (SETTINGS, KEY, RUN, CHOSEN, PAST, FIRST_WORKER):
        _take_off(config.stash, key)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker which run it belongs to."""
    if RUN in node.config.stash:
        run = node.config.stash[RUN]
        if not node.gateway.spec.popen or node.gateway.spec.via:
            _ship(node, run)
        node.workerinput["cuabench_run"] = str(run.folder)
        if run.signer and "cuabench_ships" not in node.workerinput:
            node.workerinput["cuabench_signer"] = (run.signer.key.reveal(), run.signer.session)
        node.workerinput["cuabench_plans"] = node is node.config.stash.setdefault(FIRST_WORKER, node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker one part of the items, if it plays several at a time."""
    if RUN not in config.stash or config.stash[SETTINGS].at_once == 1:
        return None
    from pytest_cuabench.collection.scheduling import Parts

    return Parts(config, log)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests of suites."""
    if "instance" in metafunc.fixturenames:
        from pytest_cuabench.collection.items import parametrize

        parametrize(metafunc)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    """Number the repeats of instances before any is deselected, and place async tests that play on the session loop."""
    counted = RUN in config.stash and not config.stash[SETTINGS].audit
    try:
        if counted:
            from pytest_cuabench.collection.repeats import number_repeats, refuse_repeats

            number_repeats(items)
        session_loop.place_tests(items)
        yield
        if counted:
            refuse_repeats(items)
    except SettingError as error:
        raise pytest.UsageError(printed(str(error))) from error


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Make async fixtures of items that play on the session loop, before pytest-asyncio chooses a loop."""
    with pytest.MonkeyPatch.context() as patch:
        if session_loop.needs_session_loop(fixturedef, request):
            session_loop.refuse_running_loop()
            patch.setattr(fixturedef, "func", session_loop.on_session_loop(fixturedef.func, request.instance))
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Write down what is going to be played; here all that was deselected is gone."""
    if RUN in session.config.stash:
        from pytest_cuabench.collection.planning import keep_plan

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
    if error is not None and ATTEMPTS in item.stash:
        item.stash[TRACEBACK] = error.tb
    if error is None or not isinstance(error.value, CuabenchError):
        report = yield
        if report.skipped and RUN in item.config.stash:
            from pytest_cuabench.collection.planning import keep_skip

            try:
                keep_skip(item, report)
            except RecordFailure as failure:
                _stop(item.session, failure)
        return report
    if isinstance(error.value, STOPS_RUN) and RUN in item.config.stash:
        _stop(item.session, error.value)
    words = printed(str(error.value))
    sentence = pytest.fail.Exception(words, pytrace=False)
    call.excinfo = pytest.ExceptionInfo.from_exception(sentence.with_traceback(error.tb))
    try:
        report = yield
    finally:
        call.excinfo = error  # for other plugins it stays an error, and no failed assertion
    report.longrepr = words
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
        del item.stash[ATTEMPTS]  # 20 KiB each, and items live as long as the session
    if traceback := item.stash.get(TRACEBACK, None):
        _forget(traceback)
        del item.stash[TRACEBACK]
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to choose an agent, where suites were skipped for the lack of one."""
    skipped = [report for report in terminalreporter.getreports("skipped") if CHOOSE in str(report.longrepr)]
    if skipped:
        what = "1 instance was" if len(skipped) == 1 else f"{len(skipped)} instances were"
        tell(terminalreporter, f"cuabench: {what} skipped; {CHOOSE}")


def _forget(traceback: TracebackType) -> None:
    """Free the attempts that frames of a failure know: other plugins keep its exception as long as the item."""
    clear_frames(traceback)
    for frame, _ in walk_tb(traceback):
        _ = frame.f_locals  # until Python 3.12 a copy, which is brought up to date by looking at it


def _ship(node: Any, run: Any) -> None:
    """Let a worker on another computer ship its record."""
    from pytest_cuabench.collection.shipping import Receiving, prepare

    try:
        prepare(node, run, node.config.stash[SETTINGS])
    except SettingError as error:
        raise pytest.UsageError(printed(str(error))) from error
    if not node.config.pluginmanager.hasplugin("cuabench-receiving"):
        node.config.pluginmanager.register(Receiving(node.config, run), "cuabench-receiving")


def _take_off(stash: pytest.Stash, key: pytest.StashKey[Any]) -> None:
    if key in stash:
        del stash[key]


def _stop(session: pytest.Session, failure: CuabenchError) -> None:
    """End the session: what cannot be recorded, or asked of a model, is not played; what was played is kept."""
    from pytest_cuabench.collection.lifecycle import resuming

    session.shouldstop = f"{visible(str(failure))}; to resume the run, add {resuming(session.config)}"


def _collect_suite(config: pytest.Config, name: str) -> None:
    """Collect a suite by its name, beside the paths that were given."""
    from pytest_cuabench.task.suite import suite_folder

    folder = str(suite_folder(name))
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = [folder]
    elif folder not in config.args:  # a worker of pytest-xdist is given the arguments of its controller
        config.args.append(folder)


def _join_run(config: pytest.Config, settings: Settings) -> None:
    from pytest_cuabench.agents.profile import choose_agent
    from pytest_cuabench.collection.lifecycle import is_listing, join_run, lead_run

    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if settings.at_once > 1 and config.pluginmanager.hasplugin("xdist"):
        from pytest_cuabench.collection.scheduling import refuse_other_distributions

        refuse_other_distributions(config, settings.sources["at_once"])
    plays = not (settings.dry_run or is_listing(config))
    if settings.agent:
        config.stash[CHOSEN] = choose_agent(
            settings.agent, settings.root, keyless=not plays, extras=settings.extras
        )
        if settings.at_once > 1 and config.stash[CHOSEN].headed:
            raise SettingError(
                f"{settings.sources['at_once']}: a person plays one instance at a time; leave it out"
            )
        if plays and worker is None:  # once, on the process that leads the run
            config.stash[CHOSEN].check()
        if settings.dry_run or settings.max_cost:
            from pytest_cuabench.collection.dry_run import prepare

            prepare(config, settings, config.stash[CHOSEN])
    if settings.dry_run:
        return
    if settings.cluster and plays and worker is None:
        from pytest_cuabench.collection.ray_workers import Cluster

        chosen = config.stash.get(CHOSEN, None)
        config.pluginmanager.register(Cluster(settings, config, chosen.profile.key if chosen else None))
    if plays and worker is None:
        if not settings.audit:
            from pytest_cuabench.collection.repeats import refuse_dist_each

            refuse_dist_each(config)
        from pytest_cuabench.collection.preflight import Preflight, look_for_chosen_browser

        look_for_chosen_browser(settings)
        config.pluginmanager.register(Preflight(config, settings), "cuabench-preflight")
    config.stash[RUN] = (
        join_run(config, settings, worker) if worker is not None else lead_run(config, settings)
    )


def _make_videos(item: pytest.Item, attempts: list[Any]) -> None:
    which = item.config.stash[SETTINGS].video
    if which != "off":
        from pytest_cuabench.reporting.video import try_to_make_videos

        try_to_make_videos(item, attempts, item.config.stash[RUN], which)


def _keep_pictures(item: pytest.Item, attempts: list[Any]) -> None:
    from pytest_cuabench.collection.lifecycle import drop_pictures_of_successes

    if item.config.stash[SETTINGS].screenshots == "retain-on-failure":
        drop_pictures_of_successes(item.config.stash[RUN], attempts)
