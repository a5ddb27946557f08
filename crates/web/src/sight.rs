//! Which personal data an answer shows.
//!
//! A personal value enters an answer only through [`Sight`], as a [`Masked`]. This text has no more than the
//! receiver may see.

use domain::claim::AccountNumber;
use domain::date::BirthDate;
use domain::identifier::{Identifier, Reference};
use domain::person::PersonalLine;
use serde::Serialize;
use serde_json::{Map, Value};
use service::line::person::{Fact, Facts};

/// What the receiver of an answer may see of a person's data.
#[derive(Debug, Clone, Copy)]
pub enum Sight<'a> {
    /// Everything: the answer is for the partner, who sent the data.
    Partner,
    /// Only the form of the values.
    Masked,
    /// These fields. The operator gave a reason, which is in the audit trail.
    Revealed(&'a [&'a str]),
}

/// A personal value as its receiver may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Masked(String);

impl Masked {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Sight<'_> {
    /// Whether the receiver may see the field `field`.
    pub fn shows(&self, field: &str) -> bool {
        match self {
            Sight::Partner => true,
            Sight::Masked => false,
            Sight::Revealed(fields) => fields.contains(&field),
        }
    }

    /// A value of the field. If it is masked, the receiver gets `hint` of it.
    fn of(&self, field: &str, text: &str, hint: impl Fn(&str) -> String) -> Masked {
        Masked(if self.shows(field) { text.to_owned() } else { hint(text) })
    }

    /// A person's name. Masked, each word is cut to its first letter.
    pub fn name(&self, field: &str, name: &PersonalLine) -> Masked {
        self.of(field, name.reveal(), initials)
    }

    /// A text that a person wrote. Masked, nothing of it is left.
    pub fn text(&self, field: &str, text: &PersonalLine) -> Masked {
        self.any(field, text.reveal())
    }

    /// A value of which nothing is left if it is masked.
    pub fn any(&self, field: &str, text: &str) -> Masked {
        self.of(field, text, |_| "…".to_owned())
    }

    /// A number or an account. Masked, its last four characters are left.
    pub fn end(&self, field: &str, text: &str) -> Masked {
        self.of(field, text, end)
    }

    /// A bank account's number. Masked, its last four characters are left.
    pub fn account(&self, number: &AccountNumber) -> Masked {
        self.end("account", number.reveal())
    }

    /// A date of birth. Masked, its year is left.
    pub fn born(&self, field: &str, born: BirthDate) -> Masked {
        self.of(field, &born.reveal().to_string(), |day| day.chars().take(4).chain(['…']).collect())
    }

    /// An identifier of a person. Masked, its last four characters are left.
    pub fn identifier(&self, field: &str, identifier: &Identifier) -> Masked {
        self.end(field, identifier.reveal())
    }

    /// The partner's reference of a sale. Masked, its last four characters are left.
    pub fn reference(&self, reference: &Reference) -> Masked {
        self.end("reference", reference.reveal())
    }
}

/// The facts of an application as one JSON object, for an operator who gave a reason.
pub fn facts_to_json(facts: &Facts) -> Value {
    let value = |fact: &Fact| match fact {
        Fact::Text(text) => text.as_str().into(),
        Fact::Texts(texts) => texts.clone().into(),
        Fact::Group(group) => facts_to_json(group),
        Fact::List(list) => list.iter().map(facts_to_json).collect(),
    };
    let members = facts.reveal().iter().map(|(name, fact)| ((*name).to_owned(), value(fact)));
    Value::Object(members.collect::<Map<_, _>>())
}

fn initials(name: &str) -> String {
    let first = |word: &str| word.chars().take(1).chain(['…']).collect::<String>();
    name.split_whitespace().map(first).collect::<Vec<_>>().join(" ")
}

/// The last four characters of a text, or at most half of a short one.
fn end(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let hidden = characters.len().saturating_sub(4).max(characters.len().div_ceil(2));
    ['…'].iter().chain(&characters[hidden..]).collect()
}

#[cfg(test)]
mod tests {
    use super::{end, initials};

    #[test]
    fn a_masked_name_shows_only_the_first_letter_of_each_word() {
        assert_eq!(initials("Asha K Rao"), "A… K… R…");
        assert_eq!(initials("आशा राव"), "आ… र…");
    }

    #[test]
    fn a_masked_number_shows_only_its_end_and_never_the_whole_number() {
        let ends = ["LN-2026-0001", "12345", "1", ""].map(end);
        assert_eq!(ends, ["…0001", "…45", "…", "…"]);
    }
}
