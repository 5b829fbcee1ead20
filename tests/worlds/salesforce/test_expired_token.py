"""The token of an org ends in the middle of an episode."""

from __future__ import annotations

import httpx2
import pytest

from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]  # a running emulator


async def test_renewed(orgs: EmulatedOrgs) -> None:
    """The client signs in again, the state is read with what was written before, and the org is taken back."""
    session = await orgs.open("salesforce", 0, ("Account",))
    client = session.org.client
    number = await client.create("Account", {"Name": "Umbrella"})
    grant = await client.transport.grant()
    async with httpx2.AsyncClient() as http:
        reply = await http.post(
            f"{client.transport.address}/services/oauth2/revoke", data={"token": grant.token}
        )
        assert reply.status_code == 200
        refused = await http.get(
            f"{client.transport.address}{client.transport.data}/limits",
            headers={"Authorization": f"Bearer {grant.token}"},
        )
        assert refused.status_code == 401
    state = await session.state()
    assert [row["Name"] for row in state.rows("Account") if row["_key"] == number] == ["Umbrella"]
    assert (await client.transport.grant()).token != grant.token
    await session.close()
    again = await orgs.open("salesforce", 0, ("Account",))
    assert number not in {row["_key"] for row in (await again.state()).rows("Account")}
    await again.close()
