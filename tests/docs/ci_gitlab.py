"""A GitLab pipeline, carried out on this machine: as much of it as the recipe uses, and an error for the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from ci_server import Job, Server, keep, pairs
from forge_servers import NUMBER, PROJECT, TOKEN

_GLOBAL = {"stages", "workflow", "default", "variables"}
_KNOWN = {
    *("extends", "stage", "parallel", "timeout", "cache", "before_script", "script", "artifacts"),
    *("when", "dependencies", "interruptible", "rules"),
}


class GitLab:
    """Runs all jobs of a pipeline, stage by stage; caches stay from one pipeline to the next."""

    def __init__(self, pipeline: Mapping[str, Any], server: Server, api: str) -> None:
        self._server = server
        self._forge = {"CI_API_V4_URL": api, "CI_PROJECT_ID": PROJECT, "GITLAB_TOKEN": TOKEN}
        self._stages = pipeline["stages"]
        self._rules = pipeline["workflow"]["rules"]
        self._variables = pipeline["variables"]
        self._jobs = {
            name: self._whole(job, pipeline)
            for name, job in pipeline.items()
            if name not in _GLOBAL and not name.startswith(".")
        }

    def run(
        self, branch: str, pipeline_id: str, without: tuple[str, ...] = (), **variables: str
    ) -> dict[str, Job]:
        """Run the pipeline for a branch, a merge request unless it is main; return the jobs by name."""
        told = {"CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_ID": pipeline_id, "CI_SERVER_HOST": "localhost"}
        source = {"CI_COMMIT_BRANCH": branch} if branch == "main" else {}
        kind = {"CI_PIPELINE_SOURCE": "push" if source else "merge_request_event"}
        kind |= self._forge | ({} if source else {"CI_MERGE_REQUEST_IID": str(NUMBER)})
        known = self._variables | told | source | kind | variables
        assert self._chosen(self._rules, known), "this pipeline does not run at all"
        done: dict[str, Job] = {}
        failed = False
        for stage in self._stages:
            here = {
                name: job for name, job in self._jobs.items() if job["stage"] == stage and name not in without
            }
            results = {
                name: self._parts(name, job, branch, known, failed, done) for name, job in here.items()
            }
            done |= results
            failed = failed or any(job.result == "failure" for job in results.values())
        return done

    @staticmethod
    def _whole(job: Mapping[str, Any], pipeline: Mapping[str, Any]) -> dict[str, Any]:
        whole = dict(pipeline[job["extends"]] if "extends" in job else {}) | dict(job)
        assert set(whole) <= _KNOWN, f"this machine knows no {set(whole) - _KNOWN}"
        return whole

    def _parts(
        self,
        name: str,
        job: Mapping[str, Any],
        branch: str,
        known: Mapping[str, str],
        failed: bool,
        done: Mapping[str, Job],
    ) -> Job:
        when = self._when(job, known)
        if when is None or (failed and when != "always"):
            return Job(name, code=None)
        total = job.get("parallel", 1)
        whole = Job(name)
        for number in range(1, total + 1):
            place = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(total)} if "parallel" in job else {}
            part = self._job(name, job, branch, {**known, **place, **self._outputs(job, done)})
            whole.code = whole.code or part.code
            whole.said += part.said
            whole.outputs |= part.outputs
        return whole

    def _when(self, job: Mapping[str, Any], known: Mapping[str, str]) -> str | None:
        """Return when a job runs; None where its rules leave it out."""
        if "rules" not in job:
            return str(job.get("when", "on_success"))
        rule = self._chosen(job["rules"], known)
        return None if rule is None else str(rule.get("when", "on_success"))

    def _chosen(self, rules: list[Mapping[str, Any]], known: Mapping[str, str]) -> Mapping[str, Any] | None:
        return next((rule for rule in rules if _holds(rule["if"], known)), None)

    def _outputs(self, job: Mapping[str, Any], done: Mapping[str, Job]) -> dict[str, str]:
        given = job.get("dependencies", done)
        return {key: value for name in given if name in done for key, value in done[name].outputs.items()}

    def _job(self, name: str, job: Mapping[str, Any], branch: str, known: Mapping[str, str]) -> Job:
        workspace = self._server.clone(branch)
        kept = self._server.artifacts(known["CI_PIPELINE_ID"])
        for needed in job.get("dependencies", ()):
            keep(kept / needed, workspace)
        cache = self._cache(job, workspace)
        if cache:
            keep(cache, workspace)
        lines = [*job.get("before_script", ()), *job["script"]]
        variables = _expanded({**known, "GITLAB_CI": "true", "CI_PROJECT_DIR": str(workspace)})
        code, said = self._server.run("\n".join(lines), workspace, variables)
        artifacts = job.get("artifacts", {})
        if code == 0 or artifacts.get("when") == "always":
            for path in artifacts.get("paths", ()):
                keep(workspace / path, kept / name / path)
        if code == 0 and cache:
            for path in job["cache"]["paths"]:
                keep(workspace / path, cache / path)
        for report in artifacts.get("reports", {}).get("junit", "").split():
            assert list(workspace.glob(report)), f"{name} left no {report}"
        return Job(
            name, code, said, outputs=pairs(workspace / artifacts.get("reports", {}).get("dotenv", "-"))
        )

    def _cache(self, job: Mapping[str, Any], workspace: Path) -> Path | None:
        if "cache" not in job:
            return None
        key = job["cache"]["key"]
        if not isinstance(key, str):
            assert all((workspace / file).is_file() for file in key["files"])
            key = "-".join(key["files"])
        return self._server.caches / key


def _holds(condition: str, known: Mapping[str, str]) -> bool:
    """Whether two variables, or a variable and a text, are equal; the recipe compares nothing else."""
    compared = re.fullmatch(r'\$(\w+) == (?:\$(\w+)|"([^"]*)")', condition)
    assert compared, f"this machine knows no condition {condition!r}"
    name, other, text = compared.groups()
    return known.get(name) == (known[other] if other else text)


def _expanded(variables: Mapping[str, Any]) -> dict[str, str]:
    """Replace variables in variables."""
    texts = {name: str(value) for name, value in variables.items()}
    return {name: Template(text).safe_substitute(texts) for name, text in texts.items()}
