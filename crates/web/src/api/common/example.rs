//! Example request bodies of the OpenAPI document. A test sends each of them.

use serde_json::{Value, json};

/// Token request with the demo's credentials.
pub(crate) fn token() -> Value {
    json!({ "client_id": "demo", "client_secret": "demo-secret", "scopes": ["business"] })
}

/// Session request with a campaign in the metadata.
pub(crate) fn session() -> Value {
    json!({ "metadata": { "campaign": "monsoon" } })
}

/// Recommendation request for a family of three, with the default sum insured of ten lakh rupees.
pub(crate) fn recommendation() -> Value {
    json!({
        "lead_id": "lead-1001",
        "user_id": "user-42",
        "customer": {
            "name": "Asha Rao",
            "gender": "Female",
            "phoneNumber": "9876543210",
            "pinCode": "560038",
            "email": "asha.rao@example.com",
        },
        "members": { "self": [{ "age": 34 }], "spouse": [{ "age": 36 }], "daughter": [{ "age": 6 }] },
        "hasPED": false,
    })
}

/// Insurer's acceptance of a proposal. Replace `proposal_id` with the id of a real proposal.
pub(crate) fn decision() -> Value {
    json!({
        "proposal_id": "pro_01m7vtyn95eqqt5tr0ktmrcfyz",
        "decision": "accepted",
        "policy_number": "EX/2026/000017",
    })
}

/// Webhook endpoint that subscribes to two event types.
pub(crate) fn webhook_endpoint() -> Value {
    json!({ "url": "https://partner.example/hooks", "types": ["policy.issued", "claim.approved"] })
}

/// Payment for one proposal. Replace `proposal_id` with the id of a real proposal.
pub(crate) fn receipt() -> Value {
    json!({
        "reference": "HDFCR52026112000017",
        "amount": "2188.90",
        "received_on": "20/11/2026",
        "items": [{ "proposal_id": "pro_01m7vtyn95eqqt5tr0ktmrcfyz", "amount": "2188.90" }],
    })
}

/// Approval of a claim in full. The path of the request has the claim's id.
pub(crate) fn claim_status() -> Value {
    json!({ "status": "APPROVED", "approved_amount": "500000.00" })
}

/// Quote request for cover of five lakh rupees for two years.
pub(crate) fn quote() -> Value {
    json!({
        "date_of_birth": "15/06/1990",
        "gender": "FEMALE",
        "cover_amount": "500000.00",
        "policy_term": 24,
        "context_data": [
            { "key": "loan_amount", "values": ["500000"] },
            { "key": "loan_tenure", "values": ["24"] },
        ],
    })
}

/// Proposal with one insured member and one nominee. Replace both ids with the ids of a real quote.
pub(crate) fn proposal() -> Value {
    json!({
        "quote_id": "quo_01m7vtyn95eqqt5tr0ktmrcfyz",
        "recommendation_id": "rec_01m7vtyn95eqqt5tr0ktmrcfz0",
        "status": "SUBMITTED",
        "proposer": person(),
        "insured_members": [person()],
        "nominee": [{
            "title": "MR",
            "first_name": "Ravi",
            "last_name": "Rao",
            "date_of_birth": "02/02/1988",
            "relationship": "HUSBAND",
            "percentage_sharing": 100,
            "address": address(),
            "documents": [],
        }],
    })
}

/// Change of a proposal's status to `COMPLETED`, which issues the policy.
pub(crate) fn next_status() -> Value {
    json!({ "status": "COMPLETED" })
}

/// Request for a cancellation quote.
pub(crate) fn cancellation_quote() -> Value {
    json!({ "reason": "FREE_LOOK", "received_on": "2026-11-20" })
}

/// Cancellation with the refund from its quote.
pub(crate) fn cancellation() -> Value {
    json!({ "reason": "FREE_LOOK", "received_on": "2026-11-20", "refund": "2185.90" })
}

/// Request for an endorsement quote.
pub(crate) fn endorsement_quote() -> Value {
    json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/06/1991" })
}

/// Endorsement that costs nothing: new contact data.
pub(crate) fn endorsement() -> Value {
    json!({
        "kind": "CONTACT",
        "contact": { "mobile": "9876543212", "email": "asha.r@example.com" },
        "note": "The customer moved",
    })
}

/// Request for a renewal quote. Without `years`, it is for as many years as before.
pub(crate) fn renewal_quote() -> Value {
    json!({})
}

/// Renewal with the premium from its quote.
pub(crate) fn renewal() -> Value {
    json!({ "years": 1, "premium": "8250.00" })
}

/// Withdrawal of a claim, with the reason.
pub(crate) fn withdrawal() -> Value {
    json!({ "reason": "The family claims under another policy" })
}

/// Report of a claim.
pub(crate) fn claim() -> Value {
    json!({
        "policy_id": "pol_01m5vvw3xreqg9aaa1afd2xg99",
        "kind": "DEATH",
        "event_on": "2026-11-20",
        "cause": "Road accident",
        "place": "Bengaluru",
        "claimant": { "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "9876543211" },
        "account": { "holder": "Ravi Rao", "number": "50100012345678", "ifsc": "HDFC0000001" },
        "claimed_amount": "500000",
    })
}

fn person() -> Value {
    json!({
        "title": "MS",
        "first_name": "Asha",
        "last_name": "Rao",
        "email": "asha.rao@example.com",
        "mobile": "9876543210",
        "date_of_birth": "15/06/1990",
        "address": address(),
        "nationality": "IND",
        "gender": "FEMALE",
        "marital_status": "MARRIED",
        "annual_income": "900000",
        "occupation": "SALARIED",
        "organization": "PRIVATE_LTD",
        "education": "GRADUATE",
        "documents": [{ "document_type": "PAN", "document_number": "ABCPR1234K" }],
    })
}

fn address() -> Value {
    json!({
        "address_line_1": "12 MG Road",
        "address_line_2": "Indiranagar",
        "city": "Bengaluru",
        "state": "Karnataka",
        "pincode": "560038",
    })
}
