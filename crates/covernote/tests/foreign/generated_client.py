"""Sells a policy at the demo with the client that openapi-generator creates, and reads its events.

Request bodies are the examples in the OpenAPI document.
"""

import json
import os
from pathlib import Path
from typing import Any

import openapi_client as api

DOCUMENT = json.loads(Path(os.environ["CLIENTS_DOCUMENT"]).read_text())


def example(path: str, method: str = "post", **changed: Any) -> dict[str, Any]:
    """The example body of an operation, with some fields changed."""
    content = DOCUMENT["paths"][path][method]["requestBody"]["content"]["application/json"]
    return content["example"] | changed


def main() -> None:
    settings = api.Configuration(host=os.environ["DEMO_URL"])
    client = api.ApiClient(settings)
    secret = example("/v1/auth/token", client_id="demo", client_secret="demo-secret", scopes=["business"])
    token = api.AccessApi(client).generate_token(api.GenerateTokenBody.from_dict(secret))
    settings.access_token = token.payload.access_token
    sales = api.CreditProtectionApi(client)
    quote = sales.create_quote(api.CreateQuoteBody.from_dict(example("/v1/embedded/quote"))).payload
    priced = next(item for item in quote.recommendations if not item.is_error)
    wanted = example(
        "/v1/embedded/proposal", quote_id=quote.quote_id, recommendation_id=priced.recommendation_id, status="SUBMITTED"
    )
    proposal = sales.create_proposal(api.CreateProposalBody.from_dict(wanted)).payload
    sales.update_proposal(proposal.proposal_id, api.UpdateProposalBody(status="COMPLETED"))
    address = sales.get_proposal_status(proposal.proposal_id).payload.policy_url.rsplit("/")[-1]
    certificate = sales.download_certificate(address)
    assert certificate.startswith(b"%PDF-"), certificate
    policies = api.PoliciesApi(client)
    sold = policies.get_proposal(proposal.proposal_id).payload
    policy = policies.get_policy(sold.policy_id).payload
    assert policy.status == "ISSUED", policy
    loss = example("/v1/claims", policy_id=policy.policy_id, event_on=str(policy.cover_starts))
    claim = api.ClaimsApi(client).make_claim(api.MakeClaimBody.from_dict(loss)).payload
    paper = api.ClaimsApi(client).add_claim_document(claim.claim_id, certificate, _content_type="application/pdf")
    assert paper.payload.bytes == len(certificate), paper
    events = api.EventsApi(client).list_events(subject=policy.policy_id).events
    told = events[0].data.actual_instance
    assert type(told).__name__ == "PolicyEvent" and told.id == policy.policy_id, told


main()
