//! A person's data in the store, for requests under the DPDP Act.
//!
//! Uses `act`, `claim`, `export`, `policy`, `proposal`.

pub(crate) mod breach;
pub(crate) mod export;
pub(crate) mod hold;
pub(crate) mod retention;

use axum::body::Body;
use domain::date::{Date, Timestamp};
use domain::endorsement::{EndorsementChange, EndorsementKind, EndorsementState};
use domain::health_proposal::{Consent, ConsentPurpose};
use domain::id::{ComplaintId, JourneyId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId};
use domain::identifier::{Identifier, IdentifierKind};
use domain::journey::Journey;
use domain::person::{IndianMobile, PersonalLine};
use domain::vocabulary;
use serde_json::{Value, json};
use service::Error;
use service::person::consent::ConsentShown;
use service::person::correction::{Corrected, Correction};
use service::person::erasure::KeptRecord;
use service::person::{Mention, PersonFound, PersonRecords};
use service::storage::personal_data::{Removed, RemovedKind};
use web::error::Problem;
use web::sight::{Masked, Sight};

use crate::act::answer::{Done, Download};
use crate::act::arguments::bad;
use crate::act::input::{input, texts};
use crate::act::record::partner_name;
use crate::act::shown::{Shown, answer, words};
use crate::act::{About, Act, Needed, On, Result, Role, post};
use crate::claim::ClaimInFull;
use crate::claim::complaint::ComplaintInFull;
use crate::person::export::Sections;
use crate::policy::{self, PolicyInFull};
use crate::proposal::ProposalInFull;

input! {
    /// Identifier of a person; give exactly one
    struct KnownBy {
        /// Mobile number
        #[flag(one_of = "identifier")]
        mobile: Option<IndianMobile>,
        /// E-mail address
        #[flag(one_of = "identifier")]
        email: Option<String>,
        /// PAN (permanent account number)
        #[flag(one_of = "identifier")]
        pan: Option<String>,
        /// The partner's reference of a sale, such as a loan account
        #[flag(one_of = "identifier")]
        reference: Option<String>,
        /// The partner's id of a lead
        #[flag(one_of = "identifier")]
        lead_id: Option<String>,
        /// The partner's id of an end user
        #[flag(one_of = "identifier")]
        user_id: Option<String>,
    }
}

impl KnownBy {
    fn identifier(&self) -> Identifier {
        if let Some(IndianMobile(mobile)) = &self.mobile {
            return mobile.identifier();
        }
        let others = [
            (IdentifierKind::Email, &self.email),
            (IdentifierKind::Pan, &self.pan),
            (IdentifierKind::Reference, &self.reference),
            (IdentifierKind::Lead, &self.lead_id),
        ];
        let other = others.into_iter().find_map(|(kind, value)| Some((kind, value.as_deref()?)));
        let user = self.user_id.as_deref().unwrap_or_default();
        let (kind, value) = other.unwrap_or((IdentifierKind::User, user));
        Identifier::of(kind, value.trim())
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

/// Most quotes that a search lists for each person.
const MOST_QUOTES_LISTED: usize = 100;

input! {
    /// List the people behind an identifier, and their records; prints ids and masked names
    struct FindPerson {} with {
        known_by: KnownBy,
    }
}

impl Act for FindPerson {
    const ABOUT: About = post("person.find", "/persons/search", &[Role::Support, Role::Compliance]);

    type Answer = Done<PeopleFound>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let people = on.service.persons.people_of(&self.known_by.identifier()).await?;
        let mut records = Vec::new();
        let mut said: Vec<String> = people.iter().map(in_words).collect();
        for person in &people {
            let all = ids(&person.records);
            let unlisted = person.records.quotes.len().saturating_sub(MOST_QUOTES_LISTED);
            for (kind, partner, id) in all.into_iter().skip(unlisted) {
                records.push(RecordOfPerson { kind, id, partner_id: partner, person: person.key.clone() });
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
        let done = Done::of(PeopleFound { people: people.iter().map(PersonShown::of).collect(), records });
        Ok(said.into_iter().fold(done, Done::saying))
    }
}

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
        Ok(Some(Needed::new(format!(
            "everything about a person: {} quotes, {} proposals, {} policies, {} claims",
            quotes.len(),
            proposals.len(),
            policies.len(),
            claims.len()
        ))))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let records = chosen(on, &self.known_by.identifier(), &self.one_of).await?.records;
        let mut sections = Sections::default();
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
            sections.add("policies", PolicyInFull::of(on, &view, &Sight::Revealed(policy::PERSONAL)).json());
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
        Ok(Download::of(media, Some(bytes.len() as u64), Body::from(bytes)))
    }
}

input! {
    /// Correct a person's data on policies; makes an endorsement of each policy that has the identifier
    struct CorrectPerson {
        /// Reason of the correction, such as the person's request; stored with each endorsement
        reason: PersonalLine,
        /// New mobile number
        #[flag(value = "MOBILE")]
        new_mobile: Option<String>,
        /// New e-mail address
        #[flag(value = "EMAIL")]
        new_email: Option<String>,
        /// Title with the correct name: MR, MRS or MS [default: the title that the policy has]
        #[flag(value = "TITLE", requires = &["new_first_name"])]
        new_title: Option<String>,
        /// Correct first name
        #[flag(value = "NAME", requires = &["new_last_name"])]
        new_first_name: Option<String>,
        /// Correct last name
        #[flag(value = "NAME", requires = &["new_first_name"])]
        new_last_name: Option<String>,
        /// Correct date of birth, YYYY-MM-DD; the premium is calculated again
        new_date_of_birth: Option<Date>,
        /// Change nothing; print which policies would be endorsed
        plan: bool,
    } with {
        known_by: KnownBy,
        one_of: OneOf,
    }
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
        if let Some(born) = self.new_date_of_birth {
            let born = born.strftime("%d/%m/%Y").to_string();
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
                web::read_endorsement(wanted.as_object().unwrap_or(&serde_json::Map::new()), today)
                    .map_err(Error::Invalid)?;
            Ok(change)
        };
        wanted.iter().map(read).collect()
    }
}

impl Act for CorrectPerson {
    const ABOUT: About =
        post("person.correct", "/persons/correction", &[Role::Underwriting, Role::Compliance]).in_steps();

    type Answer = Done<PersonCorrected>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let correction = Correction {
            changes: self.changes(on)?,
            note: self.reason.clone(),
            keeps_title: self.new_title.is_none(),
            plan: self.plan,
        };
        let all = on.service.corrections.correct(&person, &correction).await?;
        let (mut endorsements, mut refused) = (Vec::new(), Vec::new());
        for Corrected { policy, change, outcome } in all {
            match outcome {
                Ok(made) => {
                    let (number, status) = made.unzip();
                    endorsements.push(Correctable { policy_id: policy, kind: change.kind(), number, status });
                }
                Err(fault) => {
                    refused.push(format!("{policy}, {}: {}", change.kind(), Problem::from(fault).detail()))
                }
            }
        }
        let is_nothing = endorsements.is_empty() && refused.is_empty();
        let done = Done::of(match self.plan {
            true => PersonCorrected { planned: endorsements, endorsements: Vec::new() },
            false => PersonCorrected { planned: Vec::new(), endorsements },
        });
        Ok(match is_nothing {
            true => done.saying(
                "No policy has this identifier. A partner can correct a proposal while it is a draft.",
            ),
            false => done.refusing(refused),
        })
    }
}

input! {
    /// Erase a person's data, except what the law requires you to keep; this cannot be undone
    struct ErasePerson {
        /// Reason of the erasure, such as the person's request; recorded in the audit trail
        reason: String,
        /// Erase nothing; print which records would be erased and which would stay
        plan: bool,
    } with {
        known_by: KnownBy,
        one_of: OneOf,
    }
}

impl Act for ErasePerson {
    const ABOUT: About = post("person.erase", "/persons/erasure", &[Role::Compliance]).irreversible();

    type Answer = Done<PersonErased>;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        if self.plan {
            return Ok(None);
        }
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let plan = on.service.persons.plan_erasure(&person).await?;
        let what = format!("erase a person: {} records; {} stay", plan.erased.len(), plan.kept.len());
        let version = plan.erased.iter().map(|record| record.id.to_string()).collect::<Vec<_>>().join(" ");
        Ok(Some(Needed { version, ..Needed::new(what) }))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let plan = match self.plan {
            true => on.service.persons.plan_erasure(&person).await?,
            false => on.service.persons.erase(&person).await?,
        };
        let erased = |record: &Removed| ErasedRecord {
            kind: record.kind.word(),
            id: named(record),
            partner_id: record.of,
        };
        let kept =
            |record: &KeptRecord| RecordThatStays { id: record.record.clone(), why: record.why.to_string() };
        let done = Done::of(PersonErased {
            is_done: !self.plan,
            is_in_log: plan.is_in_log,
            erased: plan.erased.iter().map(erased).collect(),
            kept: plan.kept.iter().map(kept).collect(),
        });
        let done = match self.plan {
            true => done,
            false => {
                done.saying(format!("{} records are erased; {} stay", plan.erased.len(), plan.kept.len()))
            }
        };
        Ok(match plan.is_in_log {
            true => done.saying(
                "The store's log still has the erased data, because a backup or another reader uses the log. When that has ended, run 'covernote retention run'.",
            ),
            false => done,
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

input! {
    /// List a person's consents on the hosted pages, with the text that they read and any withdrawal
    struct ListConsents {} with {
        known_by: KnownBy,
    }
}

impl Act for ListConsents {
    const ABOUT: About = post("person.consents", "/persons/consents", &[Role::Support, Role::Compliance]);

    type Answer = Done<Consents>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let all = on.service.persons.consents(&self.known_by.identifier()).await?;
        Ok(Done::of(Consents { consents: all.iter().map(ConsentOfPerson::of).collect() }))
    }
}

input! {
    /// Record that a customer withdrew a consent
    struct WithdrawConsent {
        /// Id of the proposal with the consent, pro_…
        id: ProposalId,
        /// Purpose of the consent: declaration, insurer or messages
        purpose: ConsentPurpose,
    }
}

impl Act for WithdrawConsent {
    const ABOUT: About =
        post("person.withdraw", "/proposals/{id}/consent-withdrawal", &[Role::Support, Role::Compliance]);

    type Answer = Done<ConsentOfPerson>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let WithdrawConsent { id, purpose } = self;
        let shown = on.service.persons.withdraw_consent(id, purpose).await?;
        let done = Done::of(ConsentOfPerson::of(&shown))
            .saying(format!("{id}: the consent for {purpose} is withdrawn"));
        Ok(match purpose.is_needed() {
            true => done.saying("The policy continues. Cancel it if the customer asks for that."),
            false => done,
        })
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
        /// Partner
        partner_id: String,
        /// Key of the person
        person: String,
    }
}

answer! {
    /// A correction of a person's data
    struct PersonCorrected {
        /// Endorsements that would be made
        planned: Vec<Correctable>,
        /// Endorsements that were made
        endorsements: Vec<Correctable>,
    }
}

answer! {
    /// An endorsement that corrects a policy
    struct Correctable {
        /// Policy
        policy_id: PolicyId,
        /// Kind of endorsement
        kind: EndorsementKind,
        /// Number of the endorsement
        #[shown(label = "endorsement")]
        number: Option<u16>,
        /// Status of the endorsement
        status: Option<EndorsementState>,
    }
}

words!(ConsentPurpose, EndorsementKind);

answer! {
    /// An erasure of a person's data
    struct PersonErased {
        /// Whether the records are erased; false: only a plan
        is_done: bool,
        /// Whether the store's log still has the erased data
        #[shown(hidden = true)]
        is_in_log: bool,
        /// Records that are erased
        erased: Vec<ErasedRecord>,
        /// Records that stay
        kept: Vec<RecordThatStays>,
    }
}

answer! {
    /// A record that is erased
    struct ErasedRecord {
        /// Kind of record
        kind: &'static str,
        /// Id of the record
        id: String,
        /// Partner
        partner_id: PartnerId,
    }
}

answer! {
    /// A record that stays
    struct RecordThatStays {
        /// Id of the record
        id: String,
        /// Why it stays
        why: String,
    }
}

answer! {
    /// Consents of a person
    struct Consents {
        /// Consents
        #[shown(columns = ["proposal_id", "purpose", "given", "at", "withdrawn_at"])]
        consents: Vec<ConsentOfPerson>,
    }
}

answer! {
    /// A consent on the hosted pages
    struct ConsentOfPerson {
        /// Proposal
        proposal_id: ProposalId,
        /// Partner
        partner_id: PartnerId,
        /// Purpose
        purpose: ConsentPurpose,
        /// Whether it was given
        given: bool,
        /// Text that the person read
        text: Option<String>,
        /// Language of the text
        language: Option<&'static str>,
        /// When it was given
        at: Timestamp,
        /// When it was withdrawn
        withdrawn_at: Option<Timestamp>,
    }
}

impl ConsentOfPerson {
    fn of(shown: &ConsentShown) -> Self {
        let Consent { purpose, given, text, language, at, .. } = &shown.consent;
        ConsentOfPerson {
            proposal_id: shown.proposal,
            partner_id: shown.partner,
            purpose: *purpose,
            given: *given,
            text: text.clone(),
            language: language.map(|language| language.word()),
            at: *at,
            withdrawn_at: shown.withdrawn_at,
        }
    }
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

texts!(ConsentPurpose, ExportFormat);
