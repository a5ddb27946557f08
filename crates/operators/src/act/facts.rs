//! Facts of a proposal in answers.

use serde_json::{Value, json};
use service::line::person::Facts;
use web::sight::facts_to_json;

use crate::act::shown::{Schemas, Shown};

/// Names of facts in reading order. Printers show facts with other names after them.
const READING_ORDER: &[&str] = &[
    "product",
    "insurer",
    "name",
    "variant",
    "uin",
    "plan",
    "master_policy",
    "decided_by",
    "settlement",
    "key",
    "values",
    "purpose",
    "answer",
    "at",
    "language",
    "text",
    "relationship",
    "date_of_birth",
    "age",
    "gender",
    "mobile",
    "email",
    "address",
    "pincode",
    "nationality",
    "marital_status",
    "occupation",
    "organization",
    "employer",
    "education",
    "annual_income",
    "documents",
    "illnesses",
    "percentage_sharing",
    "cover",
    "cover_amount",
    "sum_insured",
    "deductible",
    "copay_percent",
    "term_months",
    "tenure_years",
    "starts",
    "ends",
    "loan",
    "loan_amount",
    "loan_tenure_months",
    "disbursement_date",
    "quoted",
    "quoted_at",
    "proposer",
    "insured_members",
    "members",
    "nominees",
    "appointee",
    "bank_account",
    "consents",
    "form_responses",
    "context_data",
    "context_data_of_quote",
    "price",
    "what",
    "factor",
    "amount",
    "place",
    "base_premium",
    "gst",
    "total_premium",
    "steps",
    "premium_state",
    "broken_rules",
];

/// Only an operator who gave a reason gets facts.
impl Shown for Facts {
    fn schema(schemas: &mut Schemas) -> Value {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let facts = json!({
            "type": "object", "description": "Facts by their names",
            "additionalProperties": reference("Fact"), "x-names": READING_ORDER,
        });
        let fact = json!({
            "description": "A text, several texts, facts about one thing, or facts about several things",
            "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "string" } },
                reference("Facts"),
                { "type": "array", "items": reference("Facts") },
            ],
        });
        schemas.insert("Facts".to_owned(), facts);
        schemas.insert("Fact".to_owned(), fact);
        reference("Facts")
    }

    fn json(&self) -> Value {
        facts_to_json(self)
    }
}

/// Adds the values inside a JSON value to `facts`. The name of each fact is its path in the JSON.
pub(crate) fn add_facts(facts: &mut Vec<(String, String)>, path: &str, value: &Value) {
    let below = |name: &str| match path {
        "" => name.replace('_', " "),
        path => format!("{path}, {}", name.replace('_', " ")),
    };
    match value {
        // The steps of a price are only in the JSON.
        Value::Array(_) if path.ends_with("steps") => {}
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| add_facts(facts, &below(name), value))
        }
        Value::Array(items) => {
            for (number, item) in (1..).zip(items) {
                add_facts(facts, &format!("{path} {number}"), item);
            }
        }
        Value::Null => {}
        Value::String(text) => facts.push((path.to_owned(), text.clone())),
        Value::Bool(true) => facts.push((path.to_owned(), "yes".to_owned())),
        Value::Bool(false) => facts.push((path.to_owned(), "no".to_owned())),
        Value::Number(number) => facts.push((path.to_owned(), number.to_string())),
    }
}
