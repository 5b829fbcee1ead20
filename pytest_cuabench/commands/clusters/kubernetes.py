"""Kubernetes: an indexed job as a kustomize base, whose pod with index I plays shard I + 1.

The shards of a later submission are not the first ones, so their numbers are part of its command (`--only`), and the
job has a name with a number behind it. Pods that a node takes with it (spot machines) are started again and do not
count as failures; the shard is then resumed from its records in object storage.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_cuabench.commands.clusters.engine import call, numbers
from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.commands.clusters.progress import State
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.store import is_url

FOLDER, JOB, KUSTOMIZATION = "kubernetes", "job.yaml", "kustomization.yaml"
LABEL, SHARDS, INDEX = "cuabench/run", "cuabench/shards", "batch.kubernetes.io/job-completion-index"
_USAGE_ERROR = 4  # of pytest: what is wrong with the command does not get better
_GRACE = 60  # seconds for a pod to record what is in progress
# How each maker marks machines that may be taken away at any time.
SPOT: dict[str, dict[str, Any]] = {
    "gke": {
        "nodeSelector": {"cloud.google.com/gke-spot": "true"},
        "tolerations": [{"key": "cloud.google.com/gke-spot", "operator": "Equal", "value": "true"}],
    },
    "aks": {
        "nodeSelector": {"kubernetes.azure.com/scalesetpriority": "spot"},
        "tolerations": [
            {"key": "kubernetes.azure.com/scalesetpriority", "operator": "Equal", "value": "spot"}
        ],
    },
    "eks": {"nodeSelector": {"eks.amazonaws.com/capacityType": "SPOT"}},
}


class Kubernetes:
    """The cluster that `kubectl` is set up for."""

    def write(self, plan: Plan, folder: Path) -> list[Path]:
        """Write a kustomize base, to be used as it is or from overlays of your own."""
        base = folder / FOLDER
        base.mkdir(exist_ok=True)
        kustomization = {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": [JOB],
        }
        documents = {JOB: job(plan, range(1, plan.shards + 1), plan.name), KUSTOMIZATION: kustomization}
        for name, document in documents.items():  # JSON is YAML, too
            (base / name).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        return [base / name for name in documents]

    def active(self, plan: Plan, folder: Path) -> tuple[Mapping[int, State], Sequence[int]]:
        """Ask for the jobs of this run, and for their pods."""
        jobs = self._get(plan, "jobs")
        pods = self._get(plan, "pods")
        running = {
            (labels.get("job-name"), _annotations(pod).get(INDEX))
            for pod in pods
            if (labels := pod["metadata"].get("labels", {}))
            and pod.get("status", {}).get("phase") == "Running"
        }
        found: dict[int, State] = {}
        known: set[int] = set()
        for each in jobs:
            shards = numbers(_annotations(each).get(SHARDS, ""))
            known.update(shards)
            status = each.get("status", {})
            ended = {
                condition["type"]
                for condition in status.get("conditions", ())
                if condition["status"] == "True"
            }
            if ended & {"Complete", "Failed"}:
                continue
            over = {*numbers(status.get("completedIndexes", "")), *numbers(status.get("failedIndexes", ""))}
            for index, shard in enumerate(shards):
                if index not in over:
                    runs = (each["metadata"]["name"], str(index)) in running
                    found[shard] = State.RUNNING if runs else State.WAITING
        return found, sorted(known)

    def submit(self, plan: Plan, folder: Path, shards: Sequence[int]) -> str:
        """Apply the base, or for some shards a job of their own."""
        taken = {each["metadata"]["name"] for each in self._get(plan, "jobs")}
        if len(shards) == plan.shards and plan.name not in taken:
            call("kubectl", *_namespace(plan), "apply", "--kustomize", str(folder / FOLDER))
            return f"job {plan.name}"
        name = next(
            name for number in range(2, len(taken) + 3) if (name := f"{plan.name}-{number}") not in taken
        )
        document = json.dumps(job(plan, shards, name))
        call("kubectl", *_namespace(plan), "create", "--filename=-", stdin=document)
        return f"job {name}"

    def _get(self, plan: Plan, kind: str) -> list[dict[str, Any]]:
        selected = f"--selector={LABEL}={plan.name}"
        listed = json.loads(call("kubectl", *_namespace(plan), "get", kind, selected, "--output=json"))
        return list(listed["items"])


def _namespace(plan: Plan) -> list[str]:
    return [f"--namespace={plan.options['namespace']}"] if plan.options.get("namespace") else []


def _annotations(document: Mapping[str, Any]) -> dict[str, str]:
    return dict(document["metadata"].get("annotations", {}))


def job(plan: Plan, shards: Sequence[int], name: str) -> dict[str, Any]:
    """Return the manifest of a job that plays these shards.

    Raises:
        SettingError: The plan lacks what a cluster needs.
    """
    if not is_url(plan.reports) or plan.reports.startswith("file:"):
        raise SettingError("pods share no disk; add --cua-reports=URL of an object storage after --")
    if not plan.options.get("image"):
        raise SettingError(
            "the image is missing; add --image=NAME, an image with this package and your suites; "
            "to build one, type: cuabench image plugin"
        )
    size = len(shards)
    labels = {LABEL: plan.name}
    annotations = {SHARDS: ",".join(map(str, shards))}
    container = {
        "name": "cuabench",
        "image": plan.options["image"],
        "command": plan.command(shards, ["cuabench"]),
        "resources": {
            "requests": {"cpu": f"{round(1000 * plan.cores)}m", "memory": f"{plan.mebibytes}Mi"},
            "limits": {"memory": f"{2 * plan.mebibytes}Mi"},
        },
        "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],  # noqa: S108 - Chromium's pictures
        "securityContext": {"allowPrivilegeEscalation": False},
    }
    if secret := plan.options.get("secret"):
        container["envFrom"] = [{"secretRef": {"name": secret}}]
    pod: dict[str, Any] = {
        "restartPolicy": "Never",  # as `podFailurePolicy` demands
        "terminationGracePeriodSeconds": _GRACE,
        "automountServiceAccountToken": False,
        "containers": [container],
        # A container's own /dev/shm has 64 MiB.
        "volumes": [
            {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": f"{plan.mebibytes // 2}Mi"}}
        ],
        **SPOT.get(plan.options.get("spot") or "", {}),
    }
    if account := plan.options.get("account"):
        pod |= {"serviceAccountName": account, "automountServiceAccountToken": True}
    specification = {
        "completionMode": "Indexed",
        "completions": size,
        "parallelism": min(size, plan.options.get("parallel") or size),
        "backoffLimitPerIndex": 2,
        "maxFailedIndexes": size,  # a shard that fails ends no other
        "podFailurePolicy": {
            "rules": [
                {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
                {
                    "action": "FailIndex",
                    "onExitCodes": {"operator": "In", "containerName": "cuabench", "values": [_USAGE_ERROR]},
                },
            ]
        },
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    if plan.limit is not None:
        rounds = -(-size // (plan.options.get("parallel") or size))
        specification["activeDeadlineSeconds"] = plan.limit * rounds
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "spec": specification,
    }
