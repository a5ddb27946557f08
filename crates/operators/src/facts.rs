//! Facts of a proposal, as text and as JSON.

use serde_json::{Map, Value};
use service::line::person::{Fact, Facts};

/// The facts as lines: `name: value`, with groups and lists indented below their names.
pub(crate) fn in_prose(facts: &Facts, indent: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    let mut lines = Vec::new();
    for (name, fact) in facts.reveal() {
        let name = name.replace('_', " ");
        match fact {
            Fact::Text(text) => lines.push(format!("{pad}{name}: {text}")),
            Fact::Texts(texts) if texts.is_empty() => lines.push(format!("{pad}{name}: none")),
            Fact::Texts(texts) => lines.push(format!("{pad}{name}: {}", texts.join("; "))),
            Fact::Group(group) => {
                lines.push(format!("{pad}{name}"));
                lines.extend(in_prose(group, indent + 2));
            }
            Fact::List(list) if list.is_empty() => lines.push(format!("{pad}{name}: none")),
            Fact::List(list) => {
                for (number, facts) in (1..).zip(list) {
                    lines.push(format!("{pad}{name}, {number}"));
                    lines.extend(in_prose(facts, indent + 2));
                }
            }
        }
    }
    lines
}

/// The facts as one JSON object.
pub(crate) fn to_json(facts: &Facts) -> Value {
    let value = |fact: &Fact| match fact {
        Fact::Text(text) => text.as_str().into(),
        Fact::Texts(texts) => texts.clone().into(),
        Fact::Group(group) => to_json(group),
        Fact::List(list) => list.iter().map(to_json).collect(),
    };
    let members = facts.reveal().iter().map(|(name, fact)| ((*name).to_owned(), value(fact)));
    Value::Object(members.collect::<Map<_, _>>())
}
