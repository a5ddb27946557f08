"""Sells a policy to the demo with the client that openapi-generator makes of the document, and reads its events."""

import os
from typing import Any

import openapi_client as api

ADDRESS = {
    "address_line_1": "12 Lake Road",
    "address_line_2": "Indiranagar",
    "city": "Bengaluru",
    "state": "Karnataka",
    "pincode": "560038",
}
PERSON = {
    "title": "MS",
    "first_name": "Asha",
    "last_name": "Rao",
    "email": "asha.rao@example.com",
    "mobile": "9876543210",
    "date_of_birth": "15/06/1990",
    "address": ADDRESS,
    "nationality": "IND",
    "gender": "FEMALE",
    "marital_status": "MARRIED",
    "annual_income": "900000",
    "occupation": "SALARIED",
    "organization": "PRIVATE_LTD",
    "education": "GRADUATE",
    "documents": [],
}
NOMINEE = {
    "title": "MR",
    "first_name": "Ravi",
    "last_name": "Rao",
    "date_of_birth": "02/01/1988",
    "relationship": "HUSBAND",
    "address": ADDRESS,
    "percentage_sharing": 100,
    "documents": [],
}


def main() -> None:
    settings = api.Configuration(host=os.environ["DEMO_URL"])
    client = api.ApiClient(settings)
    token = api.AccessApi(client).generate_token(
        body(api.GenerateTokenBody, client_id="demo", client_secret="demo-secret", scopes=["business"])
    )
    settings.access_token = token.payload.access_token
    sales = api.CreditProtectionApi(client)
    quote = sales.create_quote(
        body(
            api.CreateQuoteBody,
            date_of_birth="15/06/1990",
            gender="FEMALE",
            cover_amount="500000.00",
            policy_term=24,
            context_data=[{"key": "loan_amount", "values": ["500000"]}, {"key": "loan_tenure", "values": ["24"]}],
        )
    ).payload
    priced = next(item for item in quote.recommendations if not item.is_error)
    proposal = sales.create_proposal(
        body(
            api.CreateProposalBody,
            quote_id=quote.quote_id,
            recommendation_id=priced.recommendation_id,
            status="SUBMITTED",
            proposer=PERSON,
            insured_members=[PERSON],
            nominee=[NOMINEE],
        )
    ).payload
    sales.update_proposal(proposal.proposal_id, body(api.UpdateProposalBody, status="COMPLETED"))
    policies = api.PoliciesApi(client)
    sold = policies.get_proposal(proposal.proposal_id).payload
    policy = policies.get_policy(sold.policy_id).payload
    assert policy.status == "ISSUED", policy
    events = api.EventsApi(client).list_events(subject=policy.policy_id).events
    told = events[0].data.actual_instance
    assert type(told).__name__ == "PolicyEvent" and told.id == policy.policy_id, told


def body(kind: Any, **fields: Any) -> Any:
    """A body of a kind, made of plain values."""
    return kind.from_dict(fields)


main()
