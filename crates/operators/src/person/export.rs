//! The export of all data about a person, as JSON and as PDF (DPDP Act, section 11).

use axum::body::Body;
use domain::date::Timestamp;
use domain::vocabulary;
use serde_json::{Map, Value, json};
use service::person::{Mention, PersonRecords};
use web::sight::Sight;

use crate::act::answer::{Download, left_out_note};
use crate::act::approval_shown::FACTS;
use crate::act::approving::IN_FULL;
use crate::act::facts::add_facts;
use crate::act::input::{input, texts};
use crate::act::record::partner_name;
use crate::act::shown::Shown;
use crate::act::{About, Act, Needed, On, Result, Role, post};
use crate::claim::ClaimInFull;
use crate::claim::complaint::ComplaintInFull;
use crate::person::consent::ConsentOfPerson;
use crate::person::{KnownBy, OneOf, chosen, note_person};
use crate::policy::{self, PolicyInFull};
use crate::proposal::ProposalInFull;

input! {
    /// Write all data about a person into a JSON or PDF file: quotes, proposals, policies, claims, complaints,
    /// journeys, consents
    struct ExportPerson {
        /// Why you need the data, such as the person's request; recorded in the audit trail
        reason: String,
        /// Format: json for programs, pdf for the person
        format: ExportFormat = "json",
    } with {
        known_by: KnownBy,
        one_of: OneOf,
    }
}

vocabulary! {
    /// Format of an export
    ExportFormat, "one of json, pdf" {
        /// JSON, for programs
        Json = "json",
        /// PDF, for the person
        Pdf = "pdf",
    }
}

impl Act for ExportPerson {
    const ABOUT: About = post("person.export", "/persons/export", &[Role::Compliance]).giving_file();

    type Answer = Download;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let PersonRecords { quotes, proposals, policies, claims, .. } = &person.records;
        let what = format!(
            "everything about a person: {} quotes, {} proposals, {} policies, {} claims",
            quotes.len(),
            proposals.len(),
            policies.len(),
            claims.len()
        );
        Ok(Some(Needed::new(what).personal("person", Some(IN_FULL.name(FACTS, &person.party.name)))))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        note_person(on, ExportPerson::ABOUT.name, &person).await?;
        let mut records = person.records;
        let left_out = on.exports_until().map_or(0, |at| records.keep_until(at));
        let mut sections = Sections::default();
        if left_out > 0 {
            sections.add("left_out", json!({ "note": left_out_note(left_out) }));
        }
        for (of, id, facts) in on.service.persons.quote_facts(&records).await? {
            let mut shown = facts.json();
            shown["partner_id"] = of.to_string().into();
            shown["partner_name"] = partner_name(on, of).into();
            shown["quote_id"] = id.to_string().into();
            sections.add("quotes", shown);
        }
        for (_, id, _) in &records.proposals {
            sections.add("proposals", ProposalInFull::find(on, *id, true).await?.json());
        }
        for (of, id) in &records.policies {
            let view = on.service.policies.view(*of, *id).await?;
            let shown = PolicyInFull::of(on, &view, &Sight::Revealed(policy::PERSONAL)).await?;
            sections.add("policies", shown.json());
        }
        for (_, id) in &records.claims {
            sections.add("claims", ClaimInFull::for_person(on, *id).await?.json());
        }
        for id in on.service.persons.complaints_of(&records).await? {
            sections.add("complaints", ComplaintInFull::for_person(on, id).await?.json());
        }
        for mention in &records.mentions {
            sections.add("mentions", mention_to_json(mention));
        }
        for session in &records.sessions {
            sections.add(
                "sessions",
                json!({ "session_id": session.id.to_string(), "metadata": session.metadata }),
            );
        }
        for (journey, facts) in on.service.persons.journey_facts(&records) {
            let mut shown = facts.json();
            shown["journey_id"] = journey.into();
            sections.add("journeys", shown);
        }
        for consent in on.service.persons.consents_in(&records).await? {
            sections.add("consents", ConsentOfPerson::of(&consent).json());
        }
        let at = on.service.team.now();
        let (media, bytes) = match self.format {
            ExportFormat::Json => ("application/json", sections.json(&at.to_string())),
            ExportFormat::Pdf => ("application/pdf", sections.pdf(on, at)?),
        };
        Ok(Download::of(media, Some(bytes.len() as u64), Body::from(bytes)).without_later(left_out))
    }
}

texts!(ExportFormat);

/// What a record of other people has about a person.
fn mention_to_json(Mention { party, record, .. }: &Mention) -> Value {
    let sight = Sight::Revealed(&["mention"]);
    let mut json = json!({
        "record": record, "role": party.role.word(), "name": sight.name("mention", &party.name).as_str(),
        "date_of_birth": party.born.map(|born| sight.born("mention", born).as_str().to_owned()),
    });
    for by in &party.identifiers {
        json[by.kind.word()] = sight.identifier("mention", by).as_str().into();
    }
    json
}

/// The sections of an export in their order, each with its heading.
const SECTIONS: [(&str, &str); 10] = [
    ("quotes", "Quotes"),
    ("proposals", "Proposals"),
    ("policies", "Policies"),
    ("claims", "Claims"),
    ("complaints", "Complaints"),
    ("mentions", "Other people's records that name you"),
    ("journeys", "Drafts of the last day"),
    ("sessions", "What a partner told us of your visits"),
    ("consents", "Consents"),
    ("left_out", "Not in this export"),
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
