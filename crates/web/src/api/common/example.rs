//! Bodies to try the API with, as the OpenAPI document shows them. A test sends them.

use serde_json::{Value, json};

/// Asks for a token, with the demo's credentials.
pub(crate) fn token() -> Value {
    json!({ "client_id": "demo", "client_secret": "demo-secret", "scopes": ["business"] })
}

/// A session that remembers a campaign.
pub(crate) fn session() -> Value {
    json!({ "metadata": { "campaign": "monsoon" } })
}

/// Ten lakh for a family of three.
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

/// An acceptance. The id is to be replaced by a proposal's.
pub(crate) fn decision() -> Value {
    json!({
        "proposal_id": "pro_01m7vtyn95eqqt5tr0ktmrcfyz",
        "decision": "accepted",
        "policy_number": "EX/2026/000017",
    })
}

/// An endpoint that asks for two types.
pub(crate) fn webhook_endpoint() -> Value {
    json!({ "url": "https://partner.example/hooks", "types": ["policy.issued", "claim.approved"] })
}

/// A payment for one proposal. The id is to be replaced by a proposal's.
pub(crate) fn receipt() -> Value {
    json!({
        "reference": "HDFCR52026112000017",
        "amount": "2188.90",
        "received_on": "20/11/2026",
        "items": [{ "proposal_id": "pro_01m7vtyn95eqqt5tr0ktmrcfyz", "amount": "2188.90" }],
    })
}

/// A claim that is paid in full. Claims have ids of their own.
pub(crate) fn claim_status() -> Value {
    json!({ "status": "APPROVED", "approved_amount": "500000.00" })
}

/// Five lakh over two years.
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

/// One insured member, one nominee. The ids are to be replaced by a quote's.
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

/// The last move of a proposal.
pub(crate) fn next_status() -> Value {
    json!({ "status": "COMPLETED" })
}

/// A quote of a cancellation.
pub(crate) fn cancellation_quote() -> Value {
    json!({ "reason": "FREE_LOOK", "received_on": "2026-11-20" })
}

/// A cancellation with the refund of its quote.
pub(crate) fn cancellation() -> Value {
    json!({ "reason": "FREE_LOOK", "received_on": "2026-11-20", "refund": "2185.90" })
}

/// A quote of an endorsement.
pub(crate) fn endorsement_quote() -> Value {
    json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/06/1991" })
}

/// An endorsement that costs nothing.
pub(crate) fn endorsement() -> Value {
    json!({
        "kind": "CONTACT",
        "contact": { "mobile": "9876543212", "email": "asha.r@example.com" },
        "note": "The customer moved",
    })
}

/// A quote of a renewal for as long as before.
pub(crate) fn renewal_quote() -> Value {
    json!({})
}

/// A renewal with the premium of its quote.
pub(crate) fn renewal() -> Value {
    json!({ "years": 1, "premium": "8250.00" })
}

/// Why a claim is withdrawn.
pub(crate) fn withdrawal() -> Value {
    json!({ "reason": "The family claims under another policy" })
}

/// The first notice of a claim.
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
