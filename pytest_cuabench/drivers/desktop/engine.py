"""The local container engine, with one-sentence errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import EnvironmentFailure, Missing, SettingError, needing

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.images import Image

_SECONDS = 60.0  # for one call; a start on a busy machine takes several


def engine() -> DockerClient:
    """Return a client of the engine after checking that it answers.

    Raises:
        Missing: The Python package is not installed, no engine runs, or the user may not use it.
        SettingError: The engine is on another computer.
    """
    with needing("docker", "a desktop in a container"):
        import docker
        from docker.errors import DockerException
    try:
        client = docker.from_env(timeout=int(_SECONDS))
        client.ping()
    except DockerException as error:
        raise Missing(_no_engine(error)) from None
    except OSError as error:
        raise Missing(_no_engine(error)) from None
    if not str(client.api.base_url).startswith("http+docker://"):
        client.close()
        raise SettingError(
            "desktops in containers are reached by a Unix socket, so DOCKER_HOST must name an engine on this "
            "computer; unset it, or start the guest there and use --cua-world desktop=http://host:5000"
        )
    return client


def image(client: DockerClient, name: str) -> Image:
    """Return an image by its name.

    Raises:
        Missing: The image does not exist.
        EnvironmentFailure: The engine failed.
    """
    from docker.errors import APIError, ImageNotFound

    try:
        return client.images.get(name)
    except ImageNotFound:
        raise Missing(
            f"the container engine has no image named {name!r}; type: cuabench image docker"
            + ("" if name == "cuabench-desktop" else f" --name {name}")
        ) from None
    except APIError as error:
        raise EnvironmentFailure(f"the container engine cannot look for an image: {said(error)}") from None


def said(error: Exception) -> str:
    """Return an engine's error message on one line."""
    explanation: Any = getattr(error, "explanation", None)
    return " ".join(str(explanation or error).split())[:500]


def _no_engine(error: Exception) -> str:
    """Return why the engine cannot be used, from the root cause of the client's exception."""
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, PermissionError) or "PermissionError" in str(reason):
            return (
                "you may not use the container engine; type: sudo usermod -aG docker $USER, "
                "then sign in again"
            )
        reason = reason.__cause__ or reason.__context__
    return "no container engine answers; type: sudo systemctl start docker (without systemd: sudo dockerd &)"
