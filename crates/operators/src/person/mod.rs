//! The people behind an identifier, for requests under the DPDP Act.
//!
//! Uses `act`, `claim`, `export`, `policy`, `proposal`.

pub(crate) mod breach;
pub(crate) mod consent;
pub(crate) mod correction;
pub(crate) mod erasure;
pub(crate) mod export;
pub(crate) mod hold;
pub(crate) mod retention;

use std::fmt::Display;

use domain::id::{JourneyId, PartnerId};
use domain::identifier::Identifier;
use domain::journey::Journey;
use domain::premium::PaymentReference;
use service::person::{PersonFound, PersonRecords};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::arguments::fault;
use crate::act::fields::{CustomerIdentifier, PlatformIdentifier};
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, post};

input! {
    /// Identifier of a person; give exactly one
    struct KnownBy {} with {
        customer: CustomerIdentifier,
        platform: PlatformIdentifier,
    }
}

impl KnownBy {
    fn identifier(&self) -> Identifier {
        let given = self.customer.identifier().or_else(|| self.platform.identifier());
        given.expect("one identifier: checked by the reader")
    }
}

input! {
    /// One of the people behind an identifier
    struct OneOf {
        /// Which of the people behind the identifier: the key that 'person find' prints. Needed if there are several
        #[flag(value = "KEY")]
        person: Option<String>,
    }
}

/// The person behind an identifier whom a request is about.
///
/// # Errors
/// `V4000` with the people behind the identifier, if there are several and none is named, or if none has the key.
async fn chosen(on: &On, by: &Identifier, OneOf { person }: &OneOf) -> Result<PersonFound> {
    let mut people = on.service.persons.people_of(by).await?;
    let at = match (person, people.len()) {
        (None, 0) => return Ok(PersonFound::nobody()),
        (None, 1) => Some(0),
        (None, _) => None,
        (Some(key), _) => people.iter().position(|one| one.key == key.trim()),
    };
    match at {
        Some(at) => Ok(people.swap_remove(at)),
        None => {
            let all = people.iter().map(in_words).collect::<Vec<_>>().join("; ");
            let message = match people.len() {
                0 => "No person has this identifier.".to_owned(),
                1 => format!("One person has this identifier, with another key: {all}."),
                count => format!("{count} people have this identifier. Give the key of one: {all}."),
            };
            Err(fault("person", message))
        }
    }
}

/// Writes an entry for each record of a person by which the trail names the person.
async fn note_person(on: &On, act: &'static str, person: &PersonFound) -> Result<()> {
    for record in person.records.subjects() {
        on.service.audit.note(act, &record).await?;
    }
    Ok(())
}

/// A person without personal data: key, masked name, year of birth, roles, and the number of records.
fn in_words(person: &PersonFound) -> String {
    let born = person
        .party
        .born
        .map(|born| format!(", born in {}", Sight::Masked.born("born", born).as_str()))
        .unwrap_or_default();
    let roles: Vec<&str> = person.roles.iter().map(|role| role.word()).collect();
    let name = match Sight::Masked.name("name", &person.party.name) {
        name if name.as_str().is_empty() => "without a name".to_owned(),
        name => name.as_str().to_owned(),
    };
    let count = person.count();
    let records = if count == 1 { "record" } else { "records" };
    format!("{} ({name}{born}; {}; {count} {records})", person.key, roles.join(", "))
}

/// Most policies with the same number that a search lists.
const MOST_OF_A_NUMBER: usize = 20;

/// Most quotes that a search lists for each person.
const MOST_QUOTES_LISTED: usize = 100;

input! {
    /// Find records by an identifier of a person, a policy number or a bank reference; prints ids and masked names
    struct FindPerson {
        /// The number on the certificate, or the insurer's number
        #[flag(one_of = "identifier")]
        number: Option<String>,
        /// Reference of a payment, such as the bank's UTR
        #[flag(one_of = "identifier")]
        payment: Option<PaymentReference>,
    } with {
        customer: CustomerIdentifier,
        platform: PlatformIdentifier,
    }
}

impl FindPerson {
    /// Records with a number or a bank reference.
    async fn records(&self, on: &On) -> Result<Vec<RecordOfPerson>> {
        let mut found = Vec::new();
        if let Some(number) = &self.number {
            for id in on.service.policies.numbered(number.trim(), MOST_OF_A_NUMBER).await? {
                found.push((Some(on.service.policies.owner(id).await?), id.to_string()));
            }
        }
        if let Some(reference) = &self.payment {
            found.extend(on.service.premiums.paid_with(reference.as_str()).await?);
        }
        let record = |(partner_id, id): (Option<PartnerId>, String)| {
            let kinds = [("pro_", "proposal"), ("pol_", "policy"), ("clm_", "claim")];
            let kind =
                kinds.iter().find(|(prefix, _)| id.starts_with(prefix)).map_or("payment", |(_, kind)| kind);
            RecordOfPerson { kind, id, partner_id, person: String::new() }
        };
        Ok(found.into_iter().map(record).collect())
    }
}

/// Act that lists records of this kind. Who may not do it does not find them.
fn lister(kind: &str) -> &'static str {
    match kind {
        "proposal" => "proposal.list",
        "policy" => "policy.list",
        "claim" => "claim.list",
        "complaint" => "complaint.list",
        "payment" => "premium.list",
        "quote" => "quote.explain",
        _ => "person.consents",
    }
}

impl Act for FindPerson {
    const ABOUT: About = post("person.find", "/persons/search", Role::ALL).showing_persons();

    type Answer = Done<PeopleFound>;

    fn searches(&self) -> bool {
        self.customer.is_of_person()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let by = self.customer.identifier().or_else(|| self.platform.identifier());
        let people = match &by {
            Some(by) => on.service.persons.people_of(by).await?,
            None => Vec::new(),
        };
        let mut records = self.records(on).await?;
        let mut said: Vec<String> = people.iter().map(in_words).collect();
        for person in &people {
            note_person(on, FindPerson::ABOUT.name, person).await?;
            let unlisted = person.records.quotes.len().saturating_sub(MOST_QUOTES_LISTED);
            records.extend(records_of(person).into_iter().skip(unlisted));
            if unlisted > 0 {
                said.push(format!(
                    "{unlisted} more quotes of {} are not listed; export and erasure include them.",
                    person.key
                ));
            }
        }
        if on.service.persons.lacks_people().await? {
            said.push(
                "The server is still indexing nominees and claimants of older records: some may be missing."
                    .to_owned(),
            );
        }
        records.retain(|record| on.may(lister(record.kind)));
        let done = Done::of(PeopleFound { people: people.iter().map(PersonShown::of).collect(), records });
        Ok(said.into_iter().fold(done, Done::saying))
    }
}

answer! {
    /// The people behind an identifier, and their records
    struct PeopleFound {
        /// People
        #[shown(hidden = true)]
        people: Vec<PersonShown>,
        /// Their records
        records: Vec<RecordOfPerson>,
    }
}

answer! {
    /// A person without personal data
    struct PersonShown {
        /// Key that tells the people behind an identifier apart
        person: String,
        /// Name
        name: Masked,
        /// Year of birth
        born_in: Option<i16>,
        /// Roles
        roles: Vec<&'static str>,
        /// Number of records
        records: usize,
    }
}

impl PersonShown {
    fn of(person: &PersonFound) -> Self {
        PersonShown {
            person: person.key.clone(),
            name: Sight::Masked.name("name", &person.party.name),
            born_in: person.party.born.map(|born| born.year()),
            roles: person.roles.iter().map(|role| role.word()).collect(),
            records: person.count(),
        }
    }
}

answer! {
    /// A record of a person
    struct RecordOfPerson {
        /// Kind of record
        #[shown(label = "record")]
        kind: &'static str,
        /// Id of the record
        id: String,
        /// Partner; null for a complaint
        partner_id: Option<PartnerId>,
        /// Key of the person
        person: String,
    }
}

/// Every record of a person.
fn records_of(person: &PersonFound) -> Vec<RecordOfPerson> {
    let PersonRecords { quotes, proposals, policies, claims, complaints, journeys, sessions, mentions } =
        &person.records;
    let record = |kind, partner_id, id: &dyn Display| RecordOfPerson {
        kind,
        id: id.to_string(),
        partner_id,
        person: person.key.clone(),
    };
    let mut all = Vec::new();
    all.extend(quotes.iter().map(|(of, id)| record("quote", Some(*of), id)));
    all.extend(proposals.iter().map(|(of, id, _)| record("proposal", Some(*of), id)));
    all.extend(policies.iter().map(|(of, id)| record("policy", Some(*of), id)));
    all.extend(claims.iter().map(|(of, id)| record("claim", Some(*of), id)));
    all.extend(complaints.iter().map(|id| record("complaint", None, id)));
    let journey =
        |journey: &Journey| record("journey", Some(journey.partner), &JourneyId::from_uuid(journey.id));
    all.extend(journeys.iter().map(journey));
    all.extend(sessions.iter().map(|one| record("session", Some(one.partner), &one.id)));
    all.extend(mentions.iter().map(|one| record(one.party.role.word(), Some(one.of), &one.record)));
    all
}
