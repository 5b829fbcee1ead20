"""Plausible ways to do each administrator's task wrong, with what they must score."""

from __future__ import annotations

from pytest_cuabench.task import Case

from ..slips import misread, slips_of
from . import solutions

slip = slips_of(solutions)


@slip("admin_010", "milestone:grouping_field", 0.9)
def grouped_another_way(case: Case) -> Case:
    """The figures are added up by somebody who has nothing to do with it."""
    field = f"{case['object']}.LastModifiedById"
    return misread(case, grouping_field=field, grouping_label="Last Modified By")


@slip("admin_010", "milestone:chart_type", 0.8)
def drew_another_shape(case: Case) -> Case:
    """The figures are right, the shape is not."""
    type, words = ("hbar", "Horizontal Bar") if case["type"] != "hbar" else ("vbar", "Vertical Bar")
    return misread(case, type=type, type_words=words)


@slip("admin_010", "milestone:attached", 0.8)
def charted_another_list(case: Case) -> Case:
    """The chart is right, and of other records."""
    return misread(case, list=case["other_list"])


@slip("admin_010", "milestone:chart", 0.0)
def misspelt_the_chart(case: Case) -> Case:
    """Nobody finds a chart of this name."""
    return misread(case, name=f"{case['name']} (new)")


@slip("admin_020", "milestone:permission_sets", 0.25)
def took_another_set(case: Case) -> Case:
    """The group is there, with other rights."""
    return misread(case, permission_set=case["other_set"])


@slip("admin_020", "milestone:permission_sets", 0.25)
def put_a_second_set_in(case: Case) -> Case:
    """The group allows more than it should."""
    return misread(case, permission_sets=[case["permission_set"], case["other_set"]])


@slip("admin_022", "record_integrity/critical", 0.0)
def gave_it_to_somebody_else(case: Case) -> Case:
    """A user has rights that nobody meant to give."""
    return misread(case, user=case["other_user"])


@slip("admin_022", "milestone:assigned", 0.0)
def gave_another_group(case: Case) -> Case:
    """The user has other rights now."""
    return misread(case, group=case["other_group"])


@slip("admin_022", "milestone:assigned", 0.0)
def let_it_expire(case: Case) -> Case:
    """The user has the rights for a week."""
    return misread(case, term="1 Week")


@slip("admin_025", "record_integrity/critical", 0.0)
def froze_somebody_else(case: Case) -> Case:
    """A colleague cannot log in any more."""
    return misread(case, user=case["other_user"])


@slip("admin_025", "milestone:frozen", 0.0, plays="admin_026")
def deactivated_instead(case: Case) -> Case:
    """The user is out, but in a way that costs the license."""
    return case


@slip("admin_026", "record_integrity/critical", 0.0)
def deactivated_somebody_else(case: Case) -> Case:
    """A colleague has no account any more."""
    return misread(case, user=case["other_user"])


@slip("admin_026", "milestone:inactive", 0.0, plays="admin_025")
def froze_instead(case: Case) -> Case:
    """The user cannot log in, and is active all the same."""
    return case


@slip("admin_028", "milestone:assigned", 0.7)
def forgot_the_user(case: Case) -> Case:
    """The group is right, nobody has it."""
    return misread(case, user="")


@slip("admin_028", "record_integrity/critical", 0.7)
def assigned_somebody_else(case: Case) -> Case:
    """The wrong user has the group."""
    return misread(case, user=case["other_user"])


@slip("admin_028", "milestone:permission_sets", 0.6)
def took_the_first_set_only(case: Case) -> Case:
    """Half of the rights are missing."""
    return misread(case, permission_sets=case["permission_sets"][:1])


@slip("admin_034", "milestone:member_1")
def left_the_first_member_out(case: Case) -> Case:
    """Somebody is missing in the group."""
    users, roles = case["users"], case["roles"]
    return misread(case, users=users[1:], roles=roles if users else roles[1:])


@slip("admin_034", "record_integrity/major", 1.0)
def let_one_role_more_in(case: Case) -> Case:
    """All members are there, and others beside them."""
    return misread(case, roles=[*case["roles"], case["other_role"]])


@slip("admin_034", "record_integrity/major")
def took_the_subordinates_along(case: Case) -> Case:
    """Everybody below the roles is in the group as well."""
    return misread(case, kind="Role and Subordinates")


@slip("admin_035", "milestone:parent_2")
def put_the_second_role_elsewhere(case: Case) -> Case:
    """The hierarchy has another shape."""
    first, second, *rest = case["hierarchy"]
    return misread(case, hierarchy=[first, {**second, "parent": case["other_role"]}, *rest])


@slip("admin_035", "record_integrity/major", 1.0)
def made_one_role_more(case: Case) -> Case:
    """All is as it should be, with a role that nobody wanted."""
    extra = {"role": "Deputy", "parent": case["other_role"], "new": True}
    return misread(case, hierarchy=[*case["hierarchy"], extra])


@slip("admin_039", "milestone:answer", 0.0)
def answered_the_other(case: Case) -> Case:
    """It is the other one."""
    return misread(case, answer=case["other_answer"])


@slip("admin_039", "milestone:answer", 0.0)
def answered_both(case: Case) -> Case:
    """Whoever names two has answered nothing."""
    return misread(case, answer=f"{case['answer']}, or perhaps {case['other_answer']}")
