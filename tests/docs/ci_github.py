"""A GitHub Actions workflow, carried out on this machine: as much as the recipe uses, and an error for the rest."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ci_server import Job, Server, keep, pairs
from forge_servers import NUMBER, PROJECT, TOKEN

Context = dict[str, Any]
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


class GitHub:
    """Runs all jobs of a workflow; artifacts are those of one run, caches stay."""

    def __init__(
        self, workflow: Mapping[str, Any], server: Server, api: str, *, most: int | None = None
    ) -> None:
        self._workflow = workflow
        self._api = api
        self._server = server
        self._most = most  # values of a matrix, where fewer will do

    def run(self, branch: str, run_id: str, without: tuple[str, ...] = (), **env: str) -> dict[str, Job]:
        """Run the workflow for a branch, with some variables as a user would edit them; return the jobs by name."""
        assert set(env) <= set(self._workflow["env"])
        ref = "refs/heads/main" if branch == "main" else f"refs/pull/{NUMBER}/merge"
        github = {"ref": ref, "run_id": run_id, "run_attempt": "1", "branch": branch, "token": TOKEN}
        done: dict[str, Job] = {}
        for name, job in self._workflow["jobs"].items():
            if name in without:
                continue
            needs = [job["needs"]] if isinstance(job.get("needs", []), str) else job.get("needs", [])
            context: Context = {
                "github": github,
                "secrets": defaultdict(str),  # one that a project has not set is empty
                "failed": any(done[each].result != "success" for each in needs),
                "needs": {
                    each: {"result": done[each].result, "outputs": done[each].outputs} for each in needs
                },
            }
            context["env"] = expand_all(self._workflow["env"] | env, context)
            for part in self._parts(name, job, context):
                done[part.name] = part
        return done

    def _parts(self, name: str, job: Mapping[str, Any], context: Context) -> list[Job]:
        """Run a job, once for each value of its matrix; the job itself is the worst of them."""
        if not holds(job.get("if"), context):
            return [Job(name, code=None)]
        context = context | {"failed": False}
        if "strategy" not in job:
            return [self._job(name, job, context)]
        ((key, values),) = job["strategy"]["matrix"].items()
        values = values[: self._most]
        total = {"job-total": str(len(values))}
        parts = [
            self._job(f"{name} ({value})", job, context | {"matrix": {key: str(value)}, "strategy": total})
            for value in values
        ]
        return [*parts, Job(name, code=max(part.code or 0 for part in parts))]

    def _job(self, name: str, job: Mapping[str, Any], context: Context) -> Job:
        made = Job(name)
        context = context | {"steps": {}, "job": made}
        workspace = self._server.folder / f"job-{len(list(self._server.folder.glob('job-*')))}"
        workspace.mkdir()
        context["workspace"] = workspace
        for step in job["steps"]:
            if holds(step.get("if"), context):
                code = self._step(step, context)
                context["failed"] = context["failed"] or code != 0
                made.code = made.code or code
        made.outputs = expand_all(job.get("outputs", {}), context)
        return made

    def _step(self, step: Mapping[str, Any], context: Context) -> int:
        if "uses" in step:
            action = getattr(self, "_" + re.sub(r"\W", "_", step["uses"].split("@")[0]))
            return int(action(expand_all(step.get("with", {}), context), context))
        workspace, job = context["workspace"], context["job"]
        summary, output = (self._server.folder / name for name in ("step-summary", "step-output"))
        for file in (summary, output):
            file.write_text("")
        variables = {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": context["github"]["run_id"]}
        variables |= {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(output)}
        variables |= {"GITHUB_REPOSITORY": PROJECT, "GITHUB_REF": context["github"]["ref"]}
        variables |= {"GITHUB_API_URL": self._api, "GITHUB_SERVER_URL": "https://forge.test"}
        variables |= context["env"] | expand_all(step.get("env", {}), context)
        code, said = self._server.run(expand(step["run"], context), workspace, variables)
        job.said += said
        job.summary += summary.read_text()
        if "id" in step:
            context["steps"][step["id"]] = {"outputs": pairs(output)}
        return code

    def _actions_checkout(self, given: Mapping[str, str], context: Context) -> int:
        shutil.rmtree(context["workspace"])
        self._server.clone(given.get("ref", context["github"]["branch"])).rename(context["workspace"])
        return 0

    def _actions_setup_python(self, given: Mapping[str, str], context: Context) -> int:
        """Python is there; what its cache of pip is keyed by must be, too."""
        file = given.get("cache-dependency-path")
        return 0 if file is None or (context["workspace"] / file).is_file() else 1

    def _actions_upload_artifact(self, given: Mapping[str, str], context: Context) -> int:
        artifact = self._artifacts(context) / given["name"]
        if artifact.exists() and given.get("overwrite") != "True":
            return 1
        shutil.rmtree(artifact, ignore_errors=True)
        found = keep(context["workspace"] / given["path"], artifact, hidden=False)
        return 0 if found or given.get("if-no-files-found") != "error" else 1

    def _actions_download_artifact(self, given: Mapping[str, str], context: Context) -> int:
        pattern = given.get("name") or given["pattern"]
        found = [each for each in sorted(self._artifacts(context).glob("*")) if fnmatch(each.name, pattern)]
        flat = "name" in given or given.get("merge-multiple") == "True"
        for artifact in found:
            target = context["workspace"] / given["path"]
            keep(artifact, target if flat else target / artifact.name)
        return 0 if found or "pattern" in given else 1

    def _artifacts(self, context: Context) -> Path:
        return self._server.artifacts(context["github"]["run_id"])

    def _actions_cache_restore(self, given: Mapping[str, str], context: Context) -> int:
        caches = sorted(self._server.caches.glob("*"), key=lambda cache: cache.stat().st_mtime_ns)
        prefixes = (given["key"], given.get("restore-keys", given["key"]))
        if found := [each for each in caches if each.name.startswith(prefixes)]:
            keep(found[-1], context["workspace"] / given["path"])
        return 0

    def _actions_cache_save(self, given: Mapping[str, str], context: Context) -> int:
        return 0 if keep(context["workspace"] / given["path"], self._server.caches / given["key"]) else 1


def holds(condition: str | None, context: Context) -> bool:
    """Whether a condition holds: terms joined by `&&`, after a failure only with a function that says so."""
    text = condition or "success()"
    whole = _EXPRESSION.fullmatch(text)
    terms = [term.strip() for term in (whole[1] if whole else text).split("&&")]
    if not {"!cancelled()", "always()", "success()"} & set(terms):
        terms.append("success()")
    return all(_term(term, context) for term in terms)


def _term(term: str, context: Context) -> bool:
    if term in ("!cancelled()", "always()"):
        return True
    if term == "success()":
        return not context["failed"]
    compared = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", term)
    assert compared, f"this machine knows no condition {term!r}"
    return (_value(compared[1], context) == compared[3]) is (compared[2] == "==")


def expand(text: Any, context: Context) -> str:
    """Replace the expressions in a text."""
    return _EXPRESSION.sub(lambda found: _value(found[1], context), str(text))


def expand_all(texts: Mapping[str, Any], context: Context) -> dict[str, str]:
    """Replace the expressions in all values."""
    return {name: expand(text, context) for name, text in texts.items()}


def _value(path: str, context: Context) -> str:
    """Look a name up; what no step has put out is empty, and everything else has to be there."""
    first, *names = path.split(".")
    found: Any = context[first]
    for name in names:
        found = found.get(name, {}) if "outputs" in names else found[name]
    return "" if found == {} else str(found)
