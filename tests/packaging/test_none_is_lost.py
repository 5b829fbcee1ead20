"""Everything that was tested before the engine's rooms were moved is tested still.

The names of all tests at that commit are read from git. Each is the name of a test today, or stands in `RENAMED` with
the test that took its place, or in `GONE` with what was tested and is no more.
"""

import ast
import io
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEFORE = "0f3fdf2f6fa9"
RENAMED = {
    "test_a_browser_that_breaks_in_every_attempt": "test_a_browser_that_breaks_again",
    "test_a_crash_is_trouble": "test_a_crash_is_told",
    "test_a_window_that_is_not_there_is_trouble": "test_a_program_that_hangs_is_told",
    "test_a_witness_signs_with_a_password_of_their_own": "test_a_witness_signs_with_a_code_of_their_own",
    "test_an_instance_that_two_tests_play": "test_an_instance_with_two_results",
    "test_every_action_has_arguments_here": "test_an_action_has_all_that_belongs_to_it",
    "test_every_action_has_words": "test_an_action_has_all_that_belongs_to_it",
    "test_harm_that_can_be_mended_counts_where_the_world_broke_every_time": (
        "test_harm_that_can_be_mended_counts_where_the_agent_broke_the_world"
    ),
    "test_no_way_out_of_the_org": "test_no_way_out_of_a_world",
    "test_nobody_else_answers_in_its_place": "test_a_broken_seal_stays_broken",
    "test_one_attempt_is_not_enough": "test_one_attempt_is_enough",  # the rule was turned round
    "test_only_the_probe_reports": "test_no_address_takes_a_report",
    "test_options_in_readme_exist": "test_options_are_listed",
    "test_other_reports_are_refused": "test_no_address_takes_a_report",
    "test_outcome_table_is_the_one_in_the_code": "test_the_docs_have_no_other_outcome",
    "test_reference_queries_find_their_pages": "test_queries",
    "test_the_key_is_not_shown": "test_no_address_takes_a_report",  # there is no key any more
    "test_the_next_episode_in_the_org_is_unharmed": "test_no_way_out_of_a_world",
    "test_the_token_is_left_for_the_wrapper_alone": "test_the_window_is_believed",  # nor a token
    "test_wheel_brings_the_console_script": "test_the_engine_brings_the_console_script",
    "test_wheel_holds_all_definitions": "test_each_definition_is_in_one_wheel",
    "test_wheel_plays_an_instance": "test_each_wheel_plays_an_instance",
}
_DETECTION = "detection of a desktop's protocol, which no part of the engine called"
GONE = {
    "test_detected": _DETECTION,
    "test_no_desktop_at_all": _DETECTION,
    "test_ours_is_detected": _DETECTION,
}


def names(sources: Iterable[str]) -> set[str]:
    return {
        node.name
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_each_test_of_before_has_its_successor() -> None:
    archive = subprocess.run(["git", "archive", BEFORE, "tests"], cwd=ROOT, capture_output=True)
    if archive.returncode:
        pytest.skip("this checkout has no history: git fetch --unshallow")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        before = names(files.extractfile(m).read().decode() for m in files if m.name.endswith(".py"))  # type: ignore[union-attr]
    today = names(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    assert before - today <= set(RENAMED) | set(GONE)
    assert set(RENAMED.values()) <= today
