//! A person's data in the store, for requests under the DPDP Act.

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::{Args, ValueEnum};
use domain::endorsement::{EndorsementChange, EndorsementKind, EndorsementState};
use domain::health_proposal::Consent;
use domain::id::{ComplaintId, JourneyId, PolicyId, ProposalId, QuoteId};
use domain::identifier::{Identifier, IdentifierKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::Error;
use service::person::PersonRecords;
use service::person::consent::ConsentShown;
use service::person::correction::Corrected;
use service::person::erasure::KeptRecord;
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
use crate::record::{for_operator, minute};

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

/// Find the records about a person; prints only their ids
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
        let records = on.service.persons.records_of(&self.known_by.identifier()?).await?;
        let all = ids(&records);
        let row = |(kind, partner, id): &(&str, String, String)| {
            vec![(*kind).to_owned(), id.clone(), partner.clone()]
        };
        let rows: Vec<Vec<String>> = all.iter().map(row).collect();
        let one = |(kind, partner, id): &(&str, String, String)| json!({ "kind": kind, "id": id, "partner_id": partner });
        let json: Vec<Value> = all.iter().map(one).collect();
        Ok(Answer::of(json!({ "records": json })).table(&["record", "id", "partner_id"], rows))
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
        let records = on.service.persons.records_of(&self.known_by.identifier()?).await?;
        let PersonRecords { quotes, proposals, policies, claims } = &records;
        Ok(Some(Needed::new(format!(
            "everything about a person: {} quotes, {} proposals, {} policies, {} claims",
            quotes.len(),
            proposals.len(),
            policies.len(),
            claims.len()
        ))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let by = self.known_by.identifier()?;
        let records = on.service.persons.records_of(&by).await?;
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
        for (journey, facts) in on.service.persons.journey_facts(&by, &records).await? {
            let mut shown = facts::to_json(&facts);
            shown["journey_id"] = journey.into();
            sections.add("journeys", shown);
        }
        for consent in on.service.persons.consents(&by).await? {
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
    /// Reason of the correction, such as the person's request; stored with each endorsement
    #[arg(long)]
    reason: String,
    /// New mobile number
    #[arg(long, value_name = "MOBILE")]
    new_mobile: Option<String>,
    /// New e-mail address
    #[arg(long, value_name = "EMAIL")]
    new_email: Option<String>,
    /// Title with the correct name: MR, MRS or MS
    #[arg(long, value_name = "TITLE", requires = "new_first_name")]
    new_title: Option<String>,
    /// Correct first name
    #[arg(long, value_name = "NAME", requires_all = ["new_title", "new_last_name"])]
    new_first_name: Option<String>,
    /// Correct last name
    #[arg(long, value_name = "NAME", requires = "new_first_name")]
    new_last_name: Option<String>,
    /// Correct date of birth, YYYY-MM-DD; the premium is calculated again
    #[arg(long, value_name = "DAY")]
    new_date_of_birth: Option<String>,
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
            let (title, first, last) = (&self.new_title, &self.new_first_name, &self.new_last_name);
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
        let (by, note) = (self.known_by.identifier()?, read("--reason", &self.reason)?);
        let changes = self.changes(on)?;
        let all = on.service.corrections.correct(&by, &changes, &note).await?;
        let (mut made, mut refused) = (Vec::new(), Vec::new());
        for Corrected { policy, change, outcome } in all {
            match outcome {
                Ok((number, state)) => made.push((policy.to_string(), change.kind(), number, state)),
                Err(fault) => {
                    refused.push(format!("{policy}, {}: {}", change.kind(), Problem::from(fault).detail()))
                }
            }
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
        let plan = on.service.persons.plan_erasure(&self.known_by.identifier()?).await?;
        let what = format!("erase a person: {} records; {} stay", plan.erased.len(), plan.kept.len());
        let version = plan.erased.iter().map(|record| record.id.to_string()).collect::<Vec<_>>().join(" ");
        Ok(Some(Needed { version, ..Needed::new(what) }))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let by = self.known_by.identifier()?;
        let plan = match self.plan {
            true => on.service.persons.plan_erasure(&by).await?,
            false => on.service.persons.erase(&by).await?,
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
    let PersonRecords { quotes, proposals, policies, claims } = records;
    let mut all = Vec::new();
    all.extend(quotes.iter().map(|(of, id)| ("quote", of.to_string(), id.to_string())));
    all.extend(proposals.iter().map(|(of, id, _)| ("proposal", of.to_string(), id.to_string())));
    all.extend(policies.iter().map(|(of, id)| ("policy", of.to_string(), id.to_string())));
    all.extend(claims.iter().map(|(of, id)| ("claim", of.to_string(), id.to_string())));
    all
}
