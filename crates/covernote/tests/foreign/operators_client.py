"""Reads answers of the operators' API at the demo's socket, with the client that openapi-python-client creates."""

import os
from typing import TypeVar

import httpx
from operators import Client
from operators.api.default import (
    deposit_list,
    keys_list,
    partner_list,
    partner_show,
    policy_list,
    policy_show,
    waiting_list,
)
from operators.models import ErrorObject
from operators.types import Response

Answer = TypeVar("Answer")


def main() -> None:
    socket = httpx.HTTPTransport(uds=os.environ["DEMO_SOCKET"])
    with Client(base_url="http://localhost", httpx_args={"transport": socket}) as client:
        read(client)


def read(client: Client) -> None:
    partners = answer(partner_list.sync_detailed(client=client)).partners
    demo = next(partner for partner in partners if partner.client_id == "demo")
    shown = answer(partner_show.sync_detailed(demo.partner_id, client=client))
    assert shown.partner_id == demo.partner_id and shown.secrets, shown
    deposits = answer(deposit_list.sync_detailed(client=client)).deposits
    assert deposits and all(deposit.balance for deposit in deposits), deposits
    keys = answer(keys_list.sync_detailed(client=client)).keys
    assert any(key.purpose == "data" for key in keys), keys
    policies = answer(policy_list.sync_detailed(client=client)).policies
    policy = answer(policy_show.sync_detailed(policies[0].policy_id, client=client))
    assert policy.policy_number == policies[0].policy_number and policy.cover_ends, policy
    work = answer(waiting_list.sync_detailed(client=client))
    assert work.count >= len(work.waiting) >= work.late, work
    print(f"{len(partners)} partners, {len(policies)} policies, {work.count} tasks: read by a generated client")


def answer(response: Response[ErrorObject | Answer]) -> Answer:
    """The answer of an act that must succeed."""
    assert response.status_code == 200, response.content
    assert not isinstance(response.parsed, ErrorObject), response.parsed
    return response.parsed


if __name__ == "__main__":
    main()
