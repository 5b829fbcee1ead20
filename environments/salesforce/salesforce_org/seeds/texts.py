"""Records that are there to be read: transcripts of calls, activities of opportunities, knowledge articles."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from salesforce_org.rules.knowledge import publish_article, url_name
from salesforce_org.seeds.reading import Book, Table
from salesforce_org.store import values

REFERENCES = {"Lead": "LeadId__c", "Opportunity": "OpportunityId__c"}


def fill(book: Book, chance: random.Random) -> None:
    """Enter calls, opportunities with their tasks, and articles; no fact about them goes along."""
    for told in book.fixtures["calls"]["call"]:
        _call(book, told)
    for told in book.fixtures["pipeline"]["opportunity"]:
        _opportunity(book, told)
    for told in book.fixtures["articles"]["article"]:
        _article(book, told, book.today - timedelta(days=chance.randrange(30, 150)))


def _call(book: Book, told: Table) -> None:
    begun = values.read_moment(str(book.value(told["at"])))
    ended = begun + timedelta(minutes=told["minutes"])
    given: dict[str, Any] = {
        "Name": told["name"],
        "Body__c": told["text"].strip(),
        "CreatedDate__c": values.moment(begun),
        "EndTime__c": values.moment(ended),
    }
    if of := told.get("of"):
        given[REFERENCES[of[1:].partition("/")[0]]] = of
    book.enter("VoiceCallTranscript__c", given, ended)


def _opportunity(book: Book, told: Table) -> None:
    made = book.enter("Opportunity", told["record"], book.today - timedelta(days=60))
    for task in told["task"]:
        book.enter("Task", {"WhatId": made, **task}, book.today - timedelta(days=55))


def _article(book: Book, told: Table, at: datetime) -> None:
    given = {
        "Title": told["title"],
        "UrlName": url_name(told["title"]),
        "Question__c": told["question"],
        "Answer__c": told["answer"].strip(),
    }
    made = book.enter("Knowledge__kav", given, at)
    if not told.get("draft"):
        publish_article(book.org, made)
