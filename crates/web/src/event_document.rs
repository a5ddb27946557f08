//! Describes events in the OpenAPI document and on the developer site.

use domain::event::{EventFamily, EventType};
use serde_json::{Map, Value, json};

/// Describes every event type as an operation, in the form of OpenAPI's `webhooks`.
pub(crate) fn webhooks() -> Map<String, Value> {
    let operation = |kind: &EventType| {
        let data = data_of(kind.family());
        let schema = json!({ "$ref": "#/components/schemas/Event" });
        let post = json!({
            "operationId": format!("on{}", pascal(kind.word())),
            "summary": kind.word(),
            "description": format!("{} The event is about a {}; the type of `data` is `{data}`.", kind.told(), kind.family().object().word()),
            "security": [],
            "x-data": { "$ref": format!("#/components/schemas/{data}") },
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": { "2XX": { "description": "Accepted. Any other response, or none within 15 seconds, is retried." } },
        });
        (kind.word().to_owned(), json!({ "post": post }))
    };
    EventType::ALL.iter().map(operation).collect()
}

/// In the schema of each event family's data, allows only one value of `family`, so that generated clients
/// can tell the types apart.
pub(crate) fn tell_families_apart(schemas: &mut Map<String, Value>) {
    let path = |family: &EventFamily| format!("#/components/schemas/{}", data_of(*family));
    let mapping = |family: &EventFamily| (family.word().to_owned(), path(family).into());
    let about = &mut schemas["About"];
    let described = about["properties"].as_object_mut().and_then(|fields| fields.remove("family"));
    if let Some(required) = about["required"].as_array_mut() {
        required.retain(|name| name != "family");
    }
    for family in EventFamily::ALL {
        let parts = schemas[data_of(*family)]["allOf"].as_array_mut();
        let own = parts.into_iter().flatten().find(|part| part["properties"].is_object());
        let own = own.expect("an event has fields of its own");
        let mut word = described.clone().unwrap_or_default();
        // As an `enum` of one word, generators for PHP, which make one class of all families, take the last word only.
        if let Some(word) = word.as_object_mut() {
            word.remove("enum");
        }
        word["const"] = family.word().into();
        word["example"] = family.word().into();
        own["properties"]["family"] = word;
        if let Some(required) = own["required"].as_array_mut() {
            required.push("family".into());
        }
    }
    schemas["EventData"] = json!({
        "description": "Data of an event. `family` says which fields it has.",
        "oneOf": EventFamily::ALL.iter().map(|family| json!({ "$ref": path(family) })).collect::<Vec<_>>(),
        "discriminator": { "propertyName": "family", "mapping": EventFamily::ALL.iter().map(mapping).collect::<Map<_, Value>>() },
    });
}

/// Markdown table of all event types, for the developer site.
pub fn type_table() -> String {
    let head = "| Type | What happened | `data` |\n|---|---|---|\n";
    let row = |kind: &EventType| {
        format!("| `{}` | {} | `{}` |\n", kind.word(), kind.told(), data_of(kind.family()))
    };
    EventType::ALL.iter().map(row).fold(head.to_owned(), |table, row| table + &row)
}

/// Name of the OpenAPI schema with an event family's data.
const fn data_of(family: EventFamily) -> &'static str {
    match family {
        EventFamily::Recommendation => "RecommendationEvent",
        EventFamily::Journey => "JourneyEvent",
        EventFamily::Proposal => "ProposalEvent",
        EventFamily::Premium => "PremiumEvent",
        EventFamily::Policy => "PolicyEvent",
        EventFamily::Renewal => "RenewalEvent",
        EventFamily::Endorsement => "EndorsementEvent",
        EventFamily::Refund => "RefundEvent",
        EventFamily::Claim => "ClaimEvent",
        EventFamily::Statement => "StatementEvent",
        EventFamily::Catalogue => "CatalogueEvent",
        EventFamily::Credential => "CredentialEvent",
        EventFamily::Endpoint => "EndpointEvent",
    }
}

/// Event type in CamelCase, for generated clients: `policy.under_review` becomes `PolicyUnderReview`.
fn pascal(word: &str) -> String {
    let part = |part: &str| part[..1].to_uppercase() + &part[1..];
    word.split(['.', '_']).map(part).collect()
}
