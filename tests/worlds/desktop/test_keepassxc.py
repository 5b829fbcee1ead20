"""What is read of a database that KeePassXC exported."""

from __future__ import annotations

from guest.applications import formats

ENTRY = """<Entry><IconID>3</IconID><Tags>home,team</Tags><Times><Expires>{expires}</Expires>
<ExpiryTime>2031-01-01T00:00:00Z</ExpiryTime></Times>
<String><Key>Title</Key><Value>{title}</Value></String>
<String><Key>Pin</Key><Value ProtectInMemory="True">47</Value></String>
<Binary><Key>scan.png</Key><Value Ref="0"/></Binary>
<AutoType><Enabled>True</Enabled><DefaultSequence>{{TAB}}</DefaultSequence>
<Association><Window>Sign*</Window><KeystrokeSequence>{{ENTER}}</KeystrokeSequence></Association></AutoType>
<History><Entry><String><Key>Title</Key><Value>Old</Value></String></Entry></History></Entry>"""
VAULT = f"""<KeePassFile><Meta><DatabaseName>Vault</DatabaseName><HistoryMaxItems>5</HistoryMaxItems>
<Color>#ff0000</Color><DatabaseNameChanged>x</DatabaseNameChanged><Generator>KeePassXC</Generator></Meta>
<Root><Group><Name>Root</Name>{ENTRY.format(expires="False", title="Mail")}{ENTRY.format(expires="True", title="Mail")}
<Group><Name>Work</Name><Notes>ours</Notes>{ENTRY.format(expires="False", title="Shop")}</Group></Group>
</Root></KeePassFile>"""


FOUND = formats.read("database/a.kdbx", "vault", VAULT.encode())


def test_database() -> None:
    """All of the database's own settings are a row, without times and what wrote it."""
    database = FOUND["database/a.kdbx"]
    assert database == {"DatabaseName": "Vault", "HistoryMaxItems": "5", "Color": "#ff0000"}


def test_groups_and_entries() -> None:
    """Rows are named by their groups; two entries of one title are told apart."""
    assert [key for key in FOUND if key.startswith("groups/")] == ["groups/Root", "groups/Root/Work"]
    assert FOUND["groups/Root/Work"]["Notes"] == "ours"
    entries = [key.removeprefix("entries/") for key in FOUND if key.startswith("entries/")]
    assert entries == ["Root/Mail", "Root/Mail (2)", "Root/Work/Shop"]


def test_entry() -> None:
    """Older versions are no part of an entry; what is not a field of its own stands in brackets."""
    first, second = FOUND["entries/Root/Mail"], FOUND["entries/Root/Mail (2)"]
    assert first == {
        "Title": "Mail",
        "Pin": "47",
        "[IconID]": "3",
        "[Tags]": "home,team",
        "[Expires]": "",
        "[Protected]": "Pin",
        "[Attachments]": "scan.png",
        "[AutoType]": "True",
        "[Sequence]": "{TAB}",
        "[Windows]": "Sign* = {ENTER}",
    }
    assert second["[Expires]"] == "2031-01-01T00:00:00Z"
