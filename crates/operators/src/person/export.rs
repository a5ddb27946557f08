//! The content of a person's export, as JSON and as PDF.

use domain::date::Timestamp;
use serde_json::{Map, Value, json};

use crate::act::{On, Result};

/// The sections of an export in their order, each with its heading.
const SECTIONS: [(&str, &str); 9] = [
    ("quotes", "Quotes"),
    ("proposals", "Proposals"),
    ("policies", "Policies"),
    ("claims", "Claims"),
    ("complaints", "Complaints"),
    ("mentions", "Other people's records that name you"),
    ("journeys", "Drafts of the last day"),
    ("sessions", "What a partner told us of your visits"),
    ("consents", "Consents"),
];

/// Separator between the records of a section in the PDF.
const RULE: &str = "\u{2014}\u{2014}\u{2014}";

/// The records of a person by section.
#[derive(Default)]
pub(crate) struct Sections(Map<String, Value>);

impl Sections {
    pub(crate) fn add(&mut self, section: &str, record: Value) {
        let records = self.0.entry(section).or_insert_with(|| json!([]));
        records.as_array_mut().into_iter().for_each(|records| records.push(record.clone()));
    }

    fn records(&self, section: &str) -> &[Value] {
        self.0.get(section).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn json(&self, made_at: &str) -> Vec<u8> {
        let mut all = Map::from_iter([("made_at".to_owned(), made_at.into())]);
        all.extend(SECTIONS.map(|(section, _)| (section.to_owned(), self.records(section).into())));
        format!("{:#}\n", Value::Object(all)).into_bytes()
    }

    pub(crate) fn pdf(&self, on: &On, at: Timestamp) -> Result<Vec<u8>> {
        let section = |(section, heading): (&str, &'static str)| {
            let mut facts = Vec::new();
            for (number, record) in (1..).zip(self.records(section)) {
                facts.push((format!("{number}."), RULE.to_owned()));
                add_facts(&mut facts, "", record);
            }
            (heading, facts)
        };
        Ok(on.service.persons.report(SECTIONS.map(section).to_vec(), at)?)
    }
}

/// Adds the values inside a JSON value to `facts`. The name of each fact is its path in the JSON.
fn add_facts(facts: &mut Vec<(String, String)>, path: &str, value: &Value) {
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
