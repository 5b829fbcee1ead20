"""Metadata as trees and XML: what is written is read back, and what does not belong is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.shapes import Element, shapes, words
from salesforce_org.metadata.trees import document, ordered, parse, read, require

WHOLE = [*sorted(one.name for one in TYPES.values() if one.name != "Settings"), "SecuritySettings"]
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\r\t<&>'\""), max_size=12)
NAMESPACE = 'xmlns="http://soap.sforce.com/2006/04/metadata"'


def _values(element: Element, depth: int) -> st.SearchStrategy[Any]:
    if element.kind in shapes():
        one = _trees(element.kind, depth - 1)
    elif element.kind in words():
        one = st.sampled_from(words()[element.kind])
    else:
        plain: dict[str, st.SearchStrategy[Any]] = {
            "boolean": st.booleans(),
            "int": st.integers(-99, 99).map(str),
            "double": st.decimals(-9, 9, places=2).map(str),
        }
        one = plain.get(element.kind, TEXT)
    return st.lists(one, min_size=1, max_size=2) if element.many else one


def _trees(kind: str, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    shape = shapes()[kind]
    if depth <= 0:
        return st.just({})
    return st.lists(st.sampled_from(sorted(shape)), max_size=3, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: _values(shape[name], depth) for name in names})
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(WHOLE).flatmap(lambda kind: st.tuples(st.just(kind), _trees(kind, 3))))
def test_a_tree_comes_back_from_its_file(case: tuple[str, dict[str, Any]]) -> None:
    """Every tree of every type is the same after it was written as XML and read again."""
    kind, tree = case
    assert read(kind, parse(document(kind, tree))) == ordered(kind, tree)


def test_elements_stand_in_salesforces_order() -> None:
    """The full name comes first, then the rest by the alphabet, whatever order the tree has."""
    tree = {"type": "Text", "label": "Level", "fullName": "Level__c", "length": "10", "externalId": False}
    assert document("CustomField", tree).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<CustomField {NAMESPACE}>\n"
        "    <fullName>Level__c</fullName>\n"
        "    <externalId>false</externalId>\n"
        "    <label>Level</label>\n"
        "    <length>10</length>\n"
        "    <type>Text</type>\n"
        "</CustomField>\n"
    )


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("<colour>red</colour>", "Element .*colour invalid at this location in type CustomField"),
        ("<type>Txt</type>", "'Txt' is not a valid value for the enum 'FieldType'"),
        ("<required>maybe</required>", "'maybe' is not a valid value for the type xsd:boolean"),
        ("<length>long</length>", "'long' is not a valid value for the type xsd:int"),
        ("<label>a</label><label>b</label>", "label is duplicated"),
        ("<label><b/></label>", "holds text only"),
    ],
)
def test_what_a_type_does_not_have_is_refused(inside: str, problem: str) -> None:
    """Unknown elements, wrong words, numbers and flags, and repetitions are each told by name."""
    with pytest.raises(MetadataError, match=problem):
        read("CustomField", parse(f"<CustomField {NAMESPACE}>{inside}</CustomField>".encode()))


@pytest.mark.parametrize(
    "body",
    [
        b"<a>",
        b"",
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    ],
)
def test_documents_hold_data_only(body: bytes) -> None:
    """What is no XML, or defines entities of its own, is refused in one sentence."""
    with pytest.raises(MetadataError, match="Error parsing file"):
        parse(body)


def test_what_must_be_there_is_missed() -> None:
    """An element that a type must have is asked for, in inner elements too."""
    with pytest.raises(MetadataError, match="Required field is missing: label"):
        require("ListView", {"filterScope": "Everything"})
    with pytest.raises(MetadataError, match="Required field is missing: operation"):
        require("ListView", {"filterScope": "Mine", "label": "x", "filters": [{"field": "NAME"}]})


def test_what_no_xml_can_hold_is_left_out() -> None:
    """Control characters of a text do not spoil its file; line ends of both kinds stay."""
    tree = {"label": "a\x00\x0bb\r\nc"}
    assert read("CustomField", parse(document("CustomField", tree))) == {"label": "ab\r\nc"}
