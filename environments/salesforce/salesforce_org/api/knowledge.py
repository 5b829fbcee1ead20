"""`/knowledgeManagement`: versions of articles drafted, published, archived and deleted."""

from __future__ import annotations

from salesforce_org.api import dml
from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.objects import object_named, record_of
from salesforce_org.api.routing import resource
from salesforce_org.rules.knowledge import archive_article, edit_as_draft, publish_article
from salesforce_org.store import Record

ARTICLES, VERSIONS = "Knowledge__ka", "Knowledge__kav"
_PATH = "/knowledgeManagement/articleVersions/masterVersions"
_MOVES = {"Online": publish_article, "Archived": archive_article}


@resource("POST", _PATH)
def draft(call: Call) -> Reply:
    """Make a draft of a published article."""
    given = str(call.table().get("articleId") or "")
    article = record_of(call.org, object_named(call.org, ARTICLES), given)
    versions = list(call.org.rows(VERSIONS, KnowledgeArticleId=article["Id"]))
    newest = next((row for row in versions if row["IsLatestVersion"]), versions[-1])
    id = edit_as_draft(call.org, newest["Id"])
    return Reply({"id": id, "success": True, "errors": []}, 201)


@resource("GET", _PATH + "/{id}")
def version(call: Call) -> Reply:
    """Tell what a version is."""
    row = _version(call)
    names = ("Id", "Title", "UrlName", "Language", "PublishStatus", "VersionNumber", "ArticleNumber")
    told = {name[0].lower() + name[1:]: row.get(name) for name in names}
    return Reply(
        {**told, "articleMasterLanguage": row.get("Language"), "articleId": row["KnowledgeArticleId"]}
    )


@resource("PATCH", _PATH + "/{id}")
def move(call: Call) -> Reply:
    """Publish a draft, or archive what is published."""
    wanted = str(call.table().get("publishStatus"))
    if wanted not in _MOVES:
        raise ApiError(400, "INVALID_FIELD", "publishStatus must be Online or Archived", ("publishStatus",))
    _MOVES[wanted](call.org, _version(call)["Id"])
    return NOTHING


@resource("DELETE", _PATH + "/{id}")
def delete(call: Call) -> Reply:
    """Delete a draft or an archived version."""
    dml.remove(call.org, object_named(call.org, VERSIONS), _version(call)["Id"])
    return NOTHING


def _version(call: Call) -> Record:
    return record_of(call.org, object_named(call.org, VERSIONS), call.params["id"])
