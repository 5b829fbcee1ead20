"""Knowledge articles on their pages: rich texts, and the way from a draft to what everybody reads, and back."""

from __future__ import annotations

import pytest

from salesforce_org import rich_text

from .pages_client import PageBrowser, signed_in, words

ARTICLES = "/lightning/o/Knowledge__kav"
DRAFT = "Charging the fitness tracker"
PUBLISHED = "Discounts that sales may give"


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


def address(browser: PageBrowser, title: str) -> str:
    """Return the address of an article, without what is done with it."""
    return f"/lightning/r/Knowledge__kav/{browser.org.one('Knowledge__kav', Title=title)['Id']}"


def test_an_article_is_written_and_published(browser: PageBrowser) -> None:
    """New makes a draft with its texts as rich text; Publish puts it online with a version."""
    given = {
        "Title": "Lost keys",
        "UrlName": "Lost-keys",
        "Question__c": "Where?",
        "Answer__c": "<p>Here.</p>",
    }
    browser.goes(f"{ARTICLES}/new", **given)
    article = browser.org.one("Knowledge__kav", Title="Lost keys")
    assert (article["PublishStatus"], article["Question__c"]) == ("Draft", "<p>Where?</p>")
    assert "Lost keys" in words(browser.part(f"{address(browser, 'Lost keys')}/publish"))
    browser.goes(f"{address(browser, 'Lost keys')}/publish")
    article = browser.org.one("Knowledge__kav", Title="Lost keys")
    assert (article["PublishStatus"], article["VersionNumber"]) == ("Online", 1)
    assert browser.login.toasts[-1]["text"] == 'Knowledge "Lost keys" was published.'


def test_nobody_enters_the_publication_status(browser: PageBrowser) -> None:
    """The form of an article has no publication status, and does not take one."""
    assert 'name="PublishStatus"' not in browser.part(f"{ARTICLES}/new")
    browser.goes(f"{ARTICLES}/new", Title="Shelves", UrlName="Shelves", PublishStatus="Online")
    assert browser.org.one("Knowledge__kav", Title="Shelves")["PublishStatus"] == "Draft"


def test_the_title_suggests_the_url_name(browser: PageBrowser) -> None:
    """The form says which field the title fills."""
    assert 'name="Title" type="text" class="slds-input" value="" data-suggests="UrlName"' in browser.part(
        f"{ARTICLES}/new"
    )


def test_a_published_article_offers_other_steps(browser: PageBrowser) -> None:
    """What is online cannot be edited in place; a draft can be published, edited and deleted."""
    online = browser.page(f"{address(browser, PUBLISHED)}/view")
    draft = browser.page(f"{address(browser, DRAFT)}/view")
    for label, where, other in (
        ("Edit as Draft", online, draft),
        ("Archive", online, draft),
        ("Publish", draft, online),
        ("Delete", draft, online),
        ("Edit", draft, online),
    ):
        assert f">{label}</button>" in where, label
        assert f">{label}</button>" not in other, label
    assert 'aria-label="Edit Title"' in draft
    assert 'aria-label="Edit Title"' not in online


def test_a_new_version_takes_the_place_of_the_old(browser: PageBrowser) -> None:
    """Edit as Draft copies what is online; publishing the copy archives it."""
    first = browser.org.one("Knowledge__kav", Title=PUBLISHED)
    gone_to = browser.goes(f"{address(browser, PUBLISHED)}/edit-as-draft")
    assert first["Id"] not in gone_to
    versions = {
        row["PublishStatus"]: row["Id"] for row in browser.org.rows("Knowledge__kav", Title=PUBLISHED)
    }
    assert set(versions) == {"Online", "Draft"}
    browser.goes(f"/lightning/r/Knowledge__kav/{versions['Draft']}/publish")
    after = {row["Id"]: row["PublishStatus"] for row in browser.org.rows("Knowledge__kav", Title=PUBLISHED)}
    assert after == {first["Id"]: "Archived", versions["Draft"]: "Online"}


def test_an_archived_article_is_restored(browser: PageBrowser) -> None:
    """Archive takes an article offline; Restore makes a draft of it."""
    browser.goes(f"{address(browser, PUBLISHED)}/archive")
    archived = browser.org.one("Knowledge__kav", Title=PUBLISHED)
    assert archived["PublishStatus"] == "Archived"
    browser.goes(f"/lightning/r/Knowledge__kav/{archived['Id']}/restore")
    statuses = sorted(row["PublishStatus"] for row in browser.org.rows("Knowledge__kav", Title=PUBLISHED))
    assert statuses == ["Archived", "Draft"]


def test_a_second_draft_is_refused(browser: PageBrowser) -> None:
    """The dialog says why a step cannot be taken, and nothing changes."""
    browser.goes(f"{address(browser, PUBLISHED)}/edit-as-draft")
    online = browser.org.one("Knowledge__kav", Title=PUBLISHED, PublishStatus="Online")["Id"]
    answered = browser.send(f"/lightning/r/Knowledge__kav/{online}/edit-as-draft")
    assert "The article has a draft already" in words(answered.text)
    assert len(list(browser.org.rows("Knowledge__kav", Title=PUBLISHED))) == 2


def test_several_articles_are_published_from_the_list(browser: PageBrowser) -> None:
    """Publish in a list is for the rows that are selected: all of them or none."""
    assert "Select at least one record" in words(browser.part(f"{ARTICLES}/publish"))
    draft = browser.org.one("Knowledge__kav", Title=DRAFT)["Id"]
    online = browser.org.one("Knowledge__kav", Title=PUBLISHED)["Id"]
    refused = browser.send(f"{ARTICLES}/publish", ids=f"{draft},{online}", back="")
    assert "not in the status Draft" in words(refused.text)
    assert browser.org.get("Knowledge__kav", draft)["PublishStatus"] == "Draft"
    browser.goes(f"{ARTICLES}/publish", ids=draft, back="")
    assert browser.org.get("Knowledge__kav", draft)["PublishStatus"] == "Online"


def test_formatting_is_shown(browser: PageBrowser) -> None:
    """A rich text is shown with its formatting, and as plain text in tables."""
    shown = browser.page(f"{address(browser, PUBLISHED)}/view")
    assert "<li>15% Discount is for Purchases Over $20.</li>" in shown
    assert "&lt;li&gt;" not in shown


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>Hi",
        '<img src=x onerror="alert(1)">Hi',
        '<p onclick="alert(1)">Hi</p>',
        '<a href="javascript:alert(1)">Hi</a>',
        '<iframe srcdoc="x"></iframe>Hi',
        "<style>body { display: none }</style>Hi",
        '<svg><script>alert(1)</script></svg>Hi<form action="/"><input name="Title"></form>',
    ],
)
def test_hostile_texts_are_harmless(browser: PageBrowser, hostile: str) -> None:
    """Whatever an API writes into a rich text, pages show its words and run nothing of it."""
    draft = browser.org.one("Knowledge__kav", Title=DRAFT)["Id"]
    browser.org.update(draft, Answer__c=hostile)
    for page in (
        browser.page(f"/lightning/r/Knowledge__kav/{draft}/view"),
        browser.part(f"/lightning/r/Knowledge__kav/{draft}/edit"),
    ):
        assert "alert(1)" not in page
        assert "srcdoc" not in page
        assert "display: none" not in page
        assert "Hi" in page
    assert "alert" not in (rich_text.entered(hostile) or "")


@pytest.mark.parametrize("nothing", ["", " ", "<br>", "<p><br></p>", "<p>&nbsp;</p>", "<script>x</script>"])
def test_an_empty_editor_holds_nothing(nothing: str) -> None:
    """What an editor leaves behind when its text is deleted is no text."""
    assert rich_text.entered(nothing) is None
