"""Articles and their versions: draft, published, archived."""

from __future__ import annotations

import re

from salesforce_org.rules.registry import RULES, settle
from salesforce_org.store import values
from salesforce_org.store.errors import DmlError, NotThere
from salesforce_org.store.org import Change, Org, Record

WRITTEN = (
    "Title",
    "UrlName",
    "Summary",
    "Question__c",
    "Answer__c",
    "IsVisibleInApp",
    "IsVisibleInPkb",
    "IsVisibleInCsp",
    "IsVisibleInPrm",
    "ValidationStatus",
    "Language",
    "OwnerId",
)
_URL_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")


def url_name(title: str) -> str:
    """Return the URL name that a title suggests."""
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:255]


@RULES.on("before", "Knowledge__kav")
def address(change: Change) -> None:
    """A URL name has letters, digits and hyphens, and belongs to one article."""
    name, article = change.new["UrlName"], change.new["KnowledgeArticleId"]
    if not name or not change.turned("UrlName"):
        return
    if not _URL_NAME.fullmatch(name):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "URL Name: The URL name can only contain Unicode letters, numbers, or hyphens. It can't begin or "
            "end with a hyphen.",
            ("UrlName",),
        )
    for row in change.org.rows("Knowledge__kav"):
        if row["KnowledgeArticleId"] != article and row["UrlName"].casefold() == name.casefold():
            raise DmlError(
                "DUPLICATE_VALUE",
                f"URL Name: the article {row['ArticleNumber']} has this URL name",
                ("UrlName",),
            )


@RULES.on("before", "Knowledge__kav")
def drafts_only(change: Change) -> None:
    """A new article is a draft, and only drafts are edited."""
    if not change.org.checked:
        return
    if change.old is None and change.new["PublishStatus"] != "Draft":
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "A new article is a draft", ("PublishStatus",))
    if change.old and change.old["PublishStatus"] != "Draft" and any(change.turned(name) for name in WRITTEN):
        raise DmlError(
            "CANNOT_EDIT_PUBLISHED_ARTICLE", "Only a draft can be edited. Use Edit as Draft to make one."
        )


@RULES.on("before", "Knowledge__kav")
def article(change: Change) -> None:
    """The first version brings the article with its number."""
    org, new = change.org, change.new
    if change.old is None and new["KnowledgeArticleId"] is None and new["Title"] and new["UrlName"]:
        new["KnowledgeArticleId"] = org.insert("Knowledge__ka", MasterLanguage=new["Language"])
        new["ArticleCreatedDate"], new["ArticleCreatedById"] = values.moment(org.now), org.user_id
    found = org.get("Knowledge__ka", new["KnowledgeArticleId"])
    new["ArticleNumber"] = found["ArticleNumber"] if found else None


def publish_article(org: Org, id: str) -> None:
    """Publish a draft; the version that was published until now is archived history.

    Raises:
        DmlError: It is no draft.
        NotThere: There is no such version.
    """
    draft = _version(org, id, "Draft")
    article = draft["KnowledgeArticleId"]
    now = values.moment(org.now)
    with org.transaction():
        earlier = list(org.rows("Knowledge__kav", KnowledgeArticleId=article))
        for row in earlier:
            if row["PublishStatus"] == "Online":
                settle(org, row["Id"], PublishStatus="Archived", IsLatestVersion=False)
        found = org.get("Knowledge__ka", article)
        first = (found or {}).get("FirstPublishedDate") or now
        stamps = {"FirstPublishedDate": first, "LastPublishedDate": now}
        settle(org, article, **stamps)
        number = sum(row["PublishStatus"] != "Draft" for row in earlier) + 1
        settle(org, id, PublishStatus="Online", VersionNumber=number, IsLatestVersion=True, **stamps)


def edit_as_draft(org: Org, id: str) -> str:
    """Return the id of a new draft of a published or archived version.

    Raises:
        DmlError: There is a draft already.
        NotThere: There is no such version.
    """
    row = org.get("Knowledge__kav", id)
    if row is None:
        raise NotThere
    article = row["KnowledgeArticleId"]
    if next(org.rows("Knowledge__kav", KnowledgeArticleId=article, PublishStatus="Draft"), None):
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "The article has a draft already")
    kept = ("ArticleCreatedDate", "ArticleCreatedById", "FirstPublishedDate")
    with org.unchecked():
        return org.insert(
            "Knowledge__kav",
            KnowledgeArticleId=article,
            IsLatestVersion=False,
            **{name: row[name] for name in (*WRITTEN, *kept)},
        )


def archive_article(org: Org, id: str) -> None:
    """Take a published version out of sight.

    Raises:
        DmlError: It is not published.
        NotThere: There is no such version.
    """
    row = _version(org, id, "Online")
    stamps = {"ArchivedDate": values.moment(org.now), "ArchivedById": org.user_id}
    with org.transaction():
        settle(org, row["KnowledgeArticleId"], **stamps)
        settle(org, id, PublishStatus="Archived", **stamps)


def _version(org: Org, id: str, status: str) -> Record:
    row = org.get("Knowledge__kav", id)
    if row is None:
        raise NotThere
    if row["PublishStatus"] != status:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", f"The article is not in the status {status}", ("PublishStatus",)
        )
    return row


@RULES.on("deleting", "Knowledge__kav")
def published_stays(change: Change) -> None:
    """A published version is archived before it is deleted."""
    if change.new["PublishStatus"] == "Online" and not change.org.deleting(change.new["KnowledgeArticleId"]):
        raise DmlError("DELETE_FAILED", "A published article cannot be deleted; archive it first")
