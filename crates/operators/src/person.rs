//! A person's data in the store, for requests under the DPDP Act.

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::{Args, ValueEnum};
use domain::endorsement::{EndorsementChange, EndorsementKind, EndorsementState};
use domain::health_proposal::Consent;
use domain::id::{ComplaintId, JourneyId, PolicyId, ProposalId, QuoteId, SessionId};
use domain::identifier::{Identifier, IdentifierKind};
use domain::journey::Journey;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::Error;
use service::person::consent::ConsentShown;
use service::person::correction::{Corrected, Correction};
use service::person::erasure::KeptRecord;
use service::person::{Mention, PersonFound, PersonRecords};
use service::storage::personal_data::{Removed, RemovedKind};
use utoipa::ToSchema;
use web::api::shown;
use web::error::Problem;

use crate::act::{About, Act, Needed, On, Result, Role, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, only_one, read, read_day, read_id};
use crate::claim::ShowClaim;
use crate::complaint::ShowComplaint;
use crate::facts;
use crate::person_export::Sections;
use crate::policy::known_as;
use crate::proposal::ShowProposal;
use crate::record::{for_operator, masked, minute};

verbs! {
    /// Verbs of `covernote person`
    PersonVerb {
        Find(FindPerson),
        Export(ExportPerson),
        Correct(CorrectPerson),
        Erase(ErasePerson),
        Consents(ListConsents),
        Withdraw(WithdrawConsent),
    }
}

/// Identifier of a person; give exactly one
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[group(required = true, multiple = false)]
pub(crate) struct KnownBy {
    /// Mobile number
    #[arg(long)]
    mobile: Option<String>,
    /// E-mail address
    #[arg(long)]
    email: Option<String>,
    /// PAN (permanent account number)
    #[arg(long)]
    pan: Option<String>,
    /// The partner's reference of a sale, such as a loan account
    #[arg(long)]
    reference: Option<String>,
    /// The partner's id of a lead
    #[arg(long)]
    lead_id: Option<String>,
    /// The partner's id of an end user
    #[arg(long)]
    user_id: Option<String>,
}

impl KnownBy {
    fn identifier(&self) -> Result<Identifier> {
        let (kind, value) = only_one([
            ("mobile", IdentifierKind::Mobile, &self.mobile),
            ("email", IdentifierKind::Email, &self.email),
            ("pan", IdentifierKind::Pan, &self.pan),
            ("reference", IdentifierKind::Reference, &self.reference),
            ("lead_id", IdentifierKind::Lead, &self.lead_id),
            ("user_id", IdentifierKind::User, &self.user_id),
        ])?;
        known_as(kind, value)
    }
}

/// One of the people behind an identifier
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct OneOf {
    /// Which of the people behind the identifier: the key that 'person find' prints. Needed if there are several
    #[arg(long, value_name = "KEY")]
    #[serde(default)]
    person: Option<String>,
}

/// The person behind an identifier whom a request is about.
///
/// # Errors
/// [`Code::V4000`] with the people behind the identifier, if there are several and none is named, or if none has the key.
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
            Err(bad(match people.len() {
                0 => "Nobody has this identifier.".to_owned(),
                1 => format!("One person has this identifier, with another key: {all}."),
                count => {
                    format!("{count} people have this identifier. Give one of them with --person: {all}.")
                }
            }))
        }
    }
}

/// A person without personal data: key, masked name, year of birth, roles, and the number of records.
fn in_words(person: &PersonFound) -> String {
    let born =
        person.party.born.map(|born| format!(", born in {}", born.reveal().year())).unwrap_or_default();
    let roles: Vec<&str> = person.roles.iter().map(|role| role.word()).collect();
    let name = match masked(person.party.name.reveal()) {
        name if name.is_empty() => "without a name".to_owned(),
        name => name,
    };
    let count = person.count();
    let records = if count == 1 { "record" } else { "records" };
    format!("{} ({name}{born}; {}; {count} {records})", person.key, roles.join(", "))
}

fn person_to_json(person: &PersonFound) -> Value {
    json!({
        "person": person.key, "name": masked(person.party.name.reveal()),
        "born_in": person.party.born.map(|born| born.reveal().year()),
        "roles": person.roles.iter().map(|role| role.word()).collect::<Vec<_>>(),
        "records": person.count(),
    })
}

/// Most quotes that a search lists for each person.
const MOST_QUOTES_LISTED: usize = 100;

/// List the people behind an identifier, and their records; prints ids and masked names
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct FindPerson {
    /// Identifier of the person
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
}

impl Act for FindPerson {
    const ABOUT: About = post("person.find", "/persons/search", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let people = on.service.persons.people_of(&self.known_by.identifier()?).await?;
        let (mut rows, mut records) = (Vec::new(), Vec::new());
        let mut said: Vec<String> = people.iter().map(in_words).collect();
        for person in &people {
            let all = ids(&person.records);
            let unlisted = person.records.quotes.len().saturating_sub(MOST_QUOTES_LISTED);
            for (kind, partner, id) in all.into_iter().skip(unlisted) {
                records.push(json!({ "kind": kind, "id": id, "partner_id": partner, "person": person.key }));
                rows.push(vec![kind.to_owned(), id, partner, person.key.clone()]);
            }
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
        let people: Vec<Value> = people.iter().map(person_to_json).collect();
        let answer = Answer::of(json!({ "people": people, "records": records }));
        Ok(answer.table(&["record", "id", "partner_id", "person"], rows).saying(said.join("\n")))
    }
}

/// Write all data about a person into a JSON or PDF file: quotes, proposals, policies, claims, complaints,
/// journeys, consents
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ExportPerson {
    /// Identifier of the person
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
    #[command(flatten)]
    #[serde(flatten)]
    one_of: OneOf,
    /// Why you need the data, such as the person's request; recorded in the audit trail
    #[arg(long)]
    reason: String,
    /// Format: json for programs, pdf for the person
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    #[serde(default)]
    format: ExportFormat,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    out: PathBuf,
}

/// Format of an export
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportFormat {
    /// JSON, for programs
    #[default]
    Json,
    /// PDF, for the person
    Pdf,
}

impl Act for ExportPerson {
    const ABOUT: About = post("person.export", "/persons/export", &[Role::Compliance]).giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let person = chosen(on, &self.known_by.identifier()?, &self.one_of).await?;
        let PersonRecords { quotes, proposals, policies, claims, .. } = &person.records;
        Ok(Some(Needed::new(format!(
            "everything about a person: {} quotes, {} proposals, {} policies, {} claims",
            quotes.len(),
            proposals.len(),
            policies.len(),
            claims.len()
        ))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let records = chosen(on, &self.known_by.identifier()?, &self.one_of).await?.records;
        let mut sections = Sections::default();
        for (of, id, facts) in on.service.persons.quote_facts(&records).await? {
            let mut shown = for_operator(on, facts::to_json(&facts), of, &[]);
            shown["quote_id"] = id.to_string().into();
            sections.add("quotes", shown);
        }
        for (_, id, _) in &records.proposals {
            sections.add("proposals", ShowProposal::in_full(id).run(on).await?.json);
        }
        for (of, id) in &records.policies {
            let view = on.service.policies.view(*of, *id).await?;
            sections.add("policies", for_operator(on, shown::policy_view(&view), *of, &[]));
        }
        for (_, id) in &records.claims {
            sections.add("claims", ShowClaim::in_full(id).run(on).await?.json);
        }
        for id in on.service.persons.complaints_of(&records).await? {
            sections.add("complaints", ShowComplaint::in_full(&id).run(on).await?.json);
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
            let mut shown = facts::to_json(&facts);
            shown["journey_id"] = journey.into();
            sections.add("journeys", shown);
        }
        for consent in on.service.persons.consents_in(&records).await? {
            sections.add("consents", consent_to_json(&consent));
        }
        let at = on.service.team.now();
        let (media, bytes) = match self.format {
            ExportFormat::Json => ("application/json", sections.json(&at.to_string())),
            ExportFormat::Pdf => ("application/pdf", sections.pdf(on, at)?),
        };
        Ok(Answer::file(media, Some(bytes.len() as u64), Body::from(bytes)))
    }
}

/// Correct a person's data on policies; makes an endorsement of each policy that has the identifier
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct CorrectPerson {
    /// Identifier of the person
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
    #[command(flatten)]
    #[serde(flatten)]
    one_of: OneOf,
    /// Reason of the correction, such as the person's request; stored with each endorsement
    #[arg(long)]
    reason: String,
    /// New mobile number
    #[arg(long, value_name = "MOBILE")]
    new_mobile: Option<String>,
    /// New e-mail address
    #[arg(long, value_name = "EMAIL")]
    new_email: Option<String>,
    /// Title with the correct name: MR, MRS or MS [default: the title that the policy has]
    #[arg(long, value_name = "TITLE", requires = "new_first_name")]
    new_title: Option<String>,
    /// Correct first name
    #[arg(long, value_name = "NAME", requires = "new_last_name")]
    new_first_name: Option<String>,
    /// Correct last name
    #[arg(long, value_name = "NAME", requires = "new_first_name")]
    new_last_name: Option<String>,
    /// Correct date of birth, YYYY-MM-DD; the premium is calculated again
    #[arg(long, value_name = "DAY")]
    new_date_of_birth: Option<String>,
    /// Change nothing; print which policies would be endorsed
    #[arg(long)]
    #[serde(default)]
    plan: bool,
}

impl CorrectPerson {
    /// Parses the corrections as changes of an endorsement.
    fn changes(&self, on: &On) -> Result<Vec<EndorsementChange>> {
        let mut wanted = Vec::new();
        if self.new_mobile.is_some() || self.new_email.is_some() {
            let mut contact = serde_json::Map::new();
            contact.extend(self.new_mobile.clone().map(|mobile| ("mobile".to_owned(), mobile.into())));
            contact.extend(self.new_email.clone().map(|email| ("email".to_owned(), email.into())));
            wanted.push(json!({ "kind": "CONTACT", "contact": contact }));
        }
        if self.new_first_name.is_some() || self.new_last_name.is_some() {
            let (first, last) = (&self.new_first_name, &self.new_last_name);
            // Without a title, each policy keeps its own.
            let title = self.new_title.as_deref().unwrap_or("MS");
            let name = json!({ "title": title, "first_name": first, "last_name": last });
            wanted.push(json!({ "kind": "NAME", "name": name }));
        }
        if let Some(born) = &self.new_date_of_birth {
            let born = read_day("--new-date-of-birth", born)?.strftime("%d/%m/%Y").to_string();
            wanted.push(json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": born }));
        }
        if wanted.is_empty() {
            return Err(bad(
                "Give at least one correction: a mobile number, an e-mail address, a name or a date of birth.",
            ));
        }
        let today = on.service.policies.today();
        let read = |wanted: &Value| {
            let (change, _) =
                web::read_endorsement(wanted.to_string().as_bytes(), today).map_err(Error::Invalid)?;
            Ok(change)
        };
        wanted.iter().map(read).collect()
    }
}

impl Act for CorrectPerson {
    const ABOUT: About =
        post("person.correct", "/persons/correction", &[Role::Underwriting, Role::Compliance]).in_steps();

    async fn run(self, on: &On) -> Result<Answer> {
        let person = chosen(on, &self.known_by.identifier()?, &self.one_of).await?;
        let correction = Correction {
            changes: self.changes(on)?,
            note: read("--reason", &self.reason)?,
            keeps_title: self.new_title.is_none(),
            plan: self.plan,
        };
        let all = on.service.corrections.correct(&person, &correction).await?;
        let (mut made, mut planned, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for Corrected { policy, change, outcome } in all {
            match outcome {
                Ok(Some((number, state))) => made.push((policy.to_string(), change.kind(), number, state)),
                Ok(None) => planned.push((policy.to_string(), change.kind())),
                Err(fault) => {
                    refused.push(format!("{policy}, {}: {}", change.kind(), Problem::from(fault).detail()))
                }
            }
        }
        if self.plan {
            let json =
                planned.iter().map(|(policy, kind)| json!({ "policy_id": policy, "kind": kind.word() }));
            let rows = planned.iter().map(|(policy, kind)| vec![policy.clone(), kind.to_string()]);
            let answer = Answer::of(json!({ "planned": json.collect::<Vec<_>>() }));
            return Ok(answer.table(&["policy_id", "kind"], rows));
        }
        let json = |(policy, kind, number, state): &(String, EndorsementKind, u16, EndorsementState)| {
            json!({
                "policy_id": policy, "kind": kind.word(), "number": number, "status": state.word(),
            })
        };
        let row = |(policy, kind, number, state): &(String, EndorsementKind, u16, EndorsementState)| {
            vec![policy.clone(), kind.to_string(), number.to_string(), state.to_string()]
        };
        let answer = Answer::of(json!({ "endorsements": made.iter().map(json).collect::<Vec<_>>() }));
        let answer = answer.table(&["policy_id", "kind", "endorsement", "status"], made.iter().map(row));
        let answer = match made.is_empty() && refused.is_empty() {
            true => answer.saying(
                "No policy has this identifier. A partner can correct a proposal while it is a draft.",
            ),
            false => answer,
        };
        Ok(answer.refusing(refused))
    }
}

/// Erase a person's data, except what the law requires you to keep; this cannot be undone
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ErasePerson {
    /// Identifier of the person
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
    #[command(flatten)]
    #[serde(flatten)]
    one_of: OneOf,
    /// Reason of the erasure, such as the person's request; recorded in the audit trail
    #[arg(long)]
    reason: String,
    /// Erase nothing; print which records would be erased and which would stay
    #[arg(long)]
    #[serde(default)]
    plan: bool,
}

impl Act for ErasePerson {
    const ABOUT: About = post("person.erase", "/persons/erasure", &[Role::Compliance]).irreversible();

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        if self.plan {
            return Ok(None);
        }
        let person = chosen(on, &self.known_by.identifier()?, &self.one_of).await?;
        let plan = on.service.persons.plan_erasure(&person).await?;
        let what = format!("erase a person: {} records; {} stay", plan.erased.len(), plan.kept.len());
        let version = plan.erased.iter().map(|record| record.id.to_string()).collect::<Vec<_>>().join(" ");
        Ok(Some(Needed { version, ..Needed::new(what) }))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let person = chosen(on, &self.known_by.identifier()?, &self.one_of).await?;
        let plan = match self.plan {
            true => on.service.persons.plan_erasure(&person).await?,
            false => on.service.persons.erase(&person).await?,
        };
        let erased = |record: &Removed| {
            json!({
                "kind": record.kind.word(), "id": named(record), "partner_id": record.of.to_string(),
            })
        };
        let kept = |record: &KeptRecord| json!({ "id": record.record, "why": record.why });
        let json = json!({
            "is_done": !self.plan,
            "is_in_log": plan.is_in_log,
            "erased": plan.erased.iter().map(erased).collect::<Vec<_>>(),
            "kept": plan.kept.iter().map(kept).collect::<Vec<_>>(),
        });
        let word = if self.plan { "would be erased" } else { "erased" };
        let gone =
            plan.erased.iter().map(|record| vec![named(record), record.kind.to_string(), word.to_owned()]);
        let stays = plan
            .kept
            .iter()
            .map(|record| vec![record.record.clone(), String::new(), format!("stays: {}", record.why)]);
        let answer = Answer::of(json).table(&["record", "kind", "outcome"], gone.chain(stays));
        Ok(match plan.is_in_log {
            true => answer.saying(
                "The store's log still has the erased data, because a backup or another reader uses the log. When that has ended, run 'covernote retention run'.",
            ),
            false => answer,
        })
    }
}

/// Public id of an erased record, with its prefix.
fn named(record: &Removed) -> String {
    match record.kind {
        RemovedKind::HealthQuote => QuoteId::from_uuid(record.id).to_string(),
        RemovedKind::UnsoldProposal => ProposalId::from_uuid(record.id).to_string(),
        RemovedKind::Policy => PolicyId::from_uuid(record.id).to_string(),
        RemovedKind::Complaint => ComplaintId::from_uuid(record.id).to_string(),
        RemovedKind::Journey => JourneyId::from_uuid(record.id).to_string(),
        RemovedKind::Session => SessionId::from_uuid(record.id).to_string(),
    }
}

/// List a person's consents on the hosted pages, with the text that they read and any withdrawal
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ListConsents {
    /// Identifier of the person
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
}

impl Act for ListConsents {
    const ABOUT: About = post("person.consents", "/persons/consents", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let all = on.service.persons.consents(&self.known_by.identifier()?).await?;
        let row = |shown: &ConsentShown| {
            let given = if shown.consent.given { "given" } else { "not given" };
            vec![
                shown.proposal.to_string(),
                shown.consent.purpose.to_string(),
                given.to_owned(),
                minute(shown.consent.at),
                shown.withdrawn_at.map(minute).unwrap_or_default(),
            ]
        };
        let json = json!({ "consents": all.iter().map(consent_to_json).collect::<Vec<_>>() });
        let head = ["proposal_id", "purpose", "answer", "at", "withdrawn"];
        Ok(Answer::of(json).table(&head, all.iter().map(row)))
    }
}

/// Record that a customer withdrew a consent
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawConsent {
    /// Id of the proposal with the consent, pro_…
    id: String,
    /// Purpose of the consent: declaration, insurer or messages
    #[arg(long)]
    purpose: String,
}

impl Act for WithdrawConsent {
    const ABOUT: About =
        post("person.withdraw", "/proposals/{id}/consent-withdrawal", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (id, purpose) = (read_id("a proposal", &self.id)?, read("--purpose", &self.purpose)?);
        let shown = on.service.persons.withdraw_consent(id, purpose).await?;
        let answer = Answer::of(consent_to_json(&shown))
            .saying(format!("{id}: the consent for {purpose} is withdrawn"));
        Ok(match purpose.is_needed() {
            true => answer.saying("The policy continues. Cancel it if the customer asks for that."),
            false => answer,
        })
    }
}

fn consent_to_json(shown: &ConsentShown) -> Value {
    let Consent { purpose, given, text, language, at, .. } = &shown.consent;
    json!({
        "proposal_id": shown.proposal.to_string(), "partner_id": shown.partner.to_string(), "purpose": purpose.word(),
        "given": given, "text": text, "language": language.map(|language| language.word()), "at": at.to_string(),
        "withdrawn_at": shown.withdrawn_at.map(|at| at.to_string()),
    })
}

/// Kind, partner and id of each record.
fn ids(records: &PersonRecords) -> Vec<(&'static str, String, String)> {
    let PersonRecords { quotes, proposals, policies, claims, complaints, journeys, sessions, mentions } =
        records;
    let mut all = Vec::new();
    all.extend(quotes.iter().map(|(of, id)| ("quote", of.to_string(), id.to_string())));
    all.extend(proposals.iter().map(|(of, id, _)| ("proposal", of.to_string(), id.to_string())));
    all.extend(policies.iter().map(|(of, id)| ("policy", of.to_string(), id.to_string())));
    all.extend(claims.iter().map(|(of, id)| ("claim", of.to_string(), id.to_string())));
    all.extend(complaints.iter().map(|id| ("complaint", String::new(), id.to_string())));
    let journey = |journey: &Journey| {
        ("journey", journey.partner.to_string(), JourneyId::from_uuid(journey.id).to_string())
    };
    all.extend(journeys.iter().map(journey));
    all.extend(sessions.iter().map(|one| ("session", one.partner.to_string(), one.id.to_string())));
    let mention = |one: &Mention| (one.party.role.word(), one.of.to_string(), one.record.clone());
    all.extend(mentions.iter().map(mention));
    all
}

/// What a record of other people has about a person.
fn mention_to_json(Mention { party, record, .. }: &Mention) -> Value {
    let mut json = json!({
        "record": record, "role": party.role.word(), "name": party.name.reveal(),
        "date_of_birth": party.born.map(|born| born.reveal().to_string()),
    });
    for by in &party.identifiers {
        json[by.kind.word()] = by.reveal().into();
    }
    json
}
