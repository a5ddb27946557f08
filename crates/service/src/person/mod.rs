//! Records about a person by an identifier, for the rights under the DPDP Act (section 11).
//!
//! Uses `error`, `line`, `outside`, `policy`, `shared`, `team`.
//!
//! Quotes of credit life name no person, so they are not searched. Journeys are stored only until a day after
//! the customer's last visit.

pub mod breach;
pub mod consent;
pub mod correction;
pub mod erasure;
pub mod report;

use std::collections::BTreeSet;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use domain::claim::Claimant;
use domain::complaint::Complaint;
use domain::date::Timestamp;
use domain::date::day_of;
use domain::health_proposal::Health;
use domain::id::{
    AnyId, ClaimId, ComplaintId, JourneyId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId, Uuid,
    made_at,
};
use domain::identifier::{Identifier, IdentifierKind};
use domain::journey::Journey;
use domain::line::LineOfBusiness;
use domain::party::{Party, PartyRole};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::session::Session;

use crate::error::{Error, Result};
use crate::line::health_facts::{journey_facts, quote_facts};
use crate::line::person::Facts;
use crate::line::{SoldLine, by_line};
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::{Fact, Identified};

/// Most records of a kind that one person can have, quotes apart. An identifier with more records does not belong to
/// one person.
const MOST: usize = 1000;

/// Most quotes with an identifier that are read, newest first. Everybody can ask for quotes with any mobile number.
const MOST_QUOTES: usize = 10_000;

/// Most records of a person that the audit trail names for one act.
const MOST_SUBJECTS: usize = 20;

/// Most complaints that are searched for a person.
const MOST_COMPLAINTS: usize = 20_000;

/// Records about a person, each with its partner.
#[derive(Debug, Default)]
pub struct PersonRecords {
    pub quotes: Vec<(PartnerId, QuoteId)>,
    pub proposals: Vec<(PartnerId, ProposalId, LineOfBusiness)>,
    pub policies: Vec<(PartnerId, PolicyId)>,
    pub claims: Vec<(PartnerId, ClaimId)>,
    /// Complaints that name no policy.
    pub complaints: Vec<ComplaintId>,
    /// Open journeys.
    pub journeys: Vec<Journey>,
    /// Sessions whose metadata names the person.
    pub sessions: Vec<Session>,
    /// Other people's records that name the person.
    pub mentions: Vec<Mention>,
}

impl PersonRecords {
    /// Drops the records that were made after an instant. Returns their number.
    pub fn keep_until(&mut self, at: Timestamp) -> usize {
        let before = self.count();
        let is_early = |id: Uuid| made_at(id).is_none_or(|made| made <= at);
        self.quotes.retain(|(_, id)| is_early(id.uuid()));
        self.proposals.retain(|(_, id, _)| is_early(id.uuid()));
        self.policies.retain(|(_, id)| is_early(id.uuid()));
        self.claims.retain(|(_, id)| is_early(id.uuid()));
        self.complaints.retain(|id| is_early(id.uuid()));
        self.journeys.retain(|journey| journey.opened_at <= at);
        self.sessions.retain(|session| is_early(session.id.uuid()));
        self.mentions.retain(|mention| mention.record.parse().is_ok_and(|id: AnyId| is_early(id.uuid())));
        before - self.count()
    }

    /// Ids by which the audit trail names the person: of the policies, or else of the proposals, or else of the newest
    /// other record.
    pub fn subjects(&self) -> Vec<String> {
        let policies = self.policies.iter().map(|(_, id)| id.to_string());
        let proposals = self.proposals.iter().map(|(_, id, _)| id.to_string());
        let quotes = self.quotes.iter().map(|(_, id)| id.to_string()).take(1);
        let others = self.claims.iter().map(|(_, id)| id.to_string());
        let others = others.chain(self.complaints.iter().map(ToString::to_string));
        let others = others.chain(self.sessions.iter().map(|session| session.id.to_string())).take(1);
        let named = |all: Vec<String>| (!all.is_empty()).then_some(all);
        let first = named(policies.take(MOST_SUBJECTS).collect());
        let first = first.or_else(|| named(proposals.take(MOST_SUBJECTS).collect()));
        first.or_else(|| named(quotes.collect())).unwrap_or_else(|| others.collect())
    }

    /// Number of records.
    fn count(&self) -> usize {
        let PersonRecords { quotes, proposals, policies, claims, complaints, journeys, sessions, mentions } =
            self;
        let own = quotes.len() + proposals.len() + policies.len() + claims.len();
        own + complaints.len() + journeys.len() + sessions.len() + mentions.len()
    }
}

/// Record of other people that names a person, for example as nominee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The person, as the record names them.
    pub party: Party,
    pub of: PartnerId,
    /// Id of the policy, proposal or claim, with its prefix.
    pub record: String,
}

/// Person behind an identifier.
#[derive(Debug)]
pub struct PersonFound {
    /// Key that tells the people behind an identifier apart.
    pub key: String,
    /// The person, as the first record names them.
    pub party: Party,
    pub roles: BTreeSet<PartyRole>,
    pub records: PersonRecords,
}

impl PersonFound {
    /// Nobody, who has no records.
    pub fn nobody() -> Self {
        let name = PersonalLine::kept(String::new());
        PersonFound::of(Party::new(PartyRole::Customer, name, None, Vec::new()))
    }

    fn of(party: Party) -> Self {
        let born = party.born.map(|born| born.reveal().to_string()).unwrap_or_default();
        let hash = digest(&SHA256, format!("{}|{born}", party.folded()).as_bytes());
        let key = hash.as_ref().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        PersonFound { key, party, roles: BTreeSet::new(), records: PersonRecords::default() }
    }

    /// Number of records.
    pub fn count(&self) -> usize {
        self.records.count()
    }
}

/// Party with an identifier, and its record.
struct Sighting {
    party: Party,
    of: PartnerId,
    record: Sighted,
}

impl Sighting {
    fn quote(&self) -> Option<QuoteId> {
        match self.record {
            Sighted::Quote(id) => Some(id),
            _ => None,
        }
    }
}

/// Record in which a party was found.
enum Sighted {
    Quote(QuoteId),
    /// Proposal, with its policy if it was sold.
    Proposal(ProposalId, LineOfBusiness, Option<Box<Policy>>),
    /// Policy without a proposal in the store.
    Policy(Box<Policy>),
    Claim(ClaimId),
    Complaint(ComplaintId),
    Journey(Box<Journey>),
    Session(Session),
}

/// Finds the records about a person.
pub struct PersonService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl PersonService {
    /// People behind an identifier, with their records at every partner.
    ///
    /// # Errors
    /// [`Error::Conflict`] if there are more records than one person can have.
    pub async fn people_of(&self, by: &Identifier) -> Result<Vec<PersonFound>> {
        let mut people: Vec<PersonFound> = Vec::new();
        let mut sightings = self.sightings(by).await?;
        // Records with a date of birth come first, because a name alone may be another person's.
        sightings.sort_by_key(|one| (one.party.born.is_none(), one.party.folded().is_empty()));
        for Sighting { party, of, record } in sightings {
            let is_nameless = party.folded().is_empty();
            let same = |person: &PersonFound| is_nameless || person.party.is_same_as(&party);
            let mut same = people.iter().enumerate().filter(|(_, person)| same(person)).map(|(at, _)| at);
            let nameless = people.iter().position(|person| is_nameless && person.party.folded().is_empty());
            let at = match (nameless, same.next(), same.next()) {
                (Some(at), ..) | (None, Some(at), None) => at,
                (None, Some(at), Some(_)) if party.born.is_some() => at,
                _ => {
                    people.push(PersonFound::of(party.clone()));
                    people.len() - 1
                }
            };
            people[at].roles.insert(party.role);
            self.add(&mut people[at].records, party, of, record).await?;
        }
        for person in &mut people {
            let records = &mut person.records;
            records.quotes.sort_unstable();
            records.quotes.dedup();
            records.claims.sort_unstable_by(|one, other| other.cmp(one));
            records.claims.dedup();
            records.policies.sort_unstable_by(|one, other| other.cmp(one));
            records.policies.dedup();
            records.proposals.sort_unstable_by_key(|(_, id, _)| std::cmp::Reverse(*id));
            records.proposals.dedup_by_key(|(_, id, _)| *id);
        }
        Ok(people)
    }

    /// Whether nominees, appointees and claimants of older records are not indexed yet.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn lacks_people(&self) -> Result<bool> {
        Ok(self.shared.storage.remembered(Fact::PeopleToIndex).await?.is_some())
    }

    /// Indexes nominees, appointees and claimants of older records. Returns the number of records.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn index_people(&self) -> Result<u64> {
        Ok(self.shared.storage.index_people().await?)
    }

    /// Adds a record to those of a person.
    async fn add(&self, to: &mut PersonRecords, party: Party, of: PartnerId, record: Sighted) -> Result<()> {
        let is_own = matches!(party.role, PartyRole::Proposer | PartyRole::Insured);
        let mention = |record: String| Mention { party: party.clone(), of, record };
        match record {
            Sighted::Quote(id) => to.quotes.push((of, id)),
            Sighted::Claim(id) => to.mentions.push(mention(id.to_string())),
            Sighted::Complaint(id) => to.complaints.push(id),
            Sighted::Journey(journey) => to.journeys.push(*journey),
            Sighted::Session(session) => to.sessions.push(session),
            Sighted::Proposal(id, _, policy) if !is_own => {
                let record = policy.map_or_else(|| id.to_string(), |policy| policy.id.to_string());
                to.mentions.push(mention(record));
            }
            Sighted::Policy(policy) if !is_own => to.mentions.push(mention(policy.id.to_string())),
            Sighted::Proposal(id, line, policy) => {
                to.proposals.push((of, id, line));
                to.quotes.extend(self.health_quote_of(of, id, line).await?);
                if let Some(policy) = policy {
                    self.add_policy(to, &policy).await?;
                }
            }
            Sighted::Policy(policy) => self.add_policy(to, &policy).await?,
        }
        Ok(())
    }

    async fn add_policy(&self, to: &mut PersonRecords, policy: &Policy) -> Result<()> {
        to.policies.push((policy.partner, policy.id));
        let claims = self.policies.claims_on(policy).await?;
        to.claims.extend(claims.iter().map(|claim| (claim.partner, claim.id)));
        Ok(())
    }

    /// Every party that has an identifier. The partner's ids of a sale belong to all its applicants.
    async fn sightings(&self, by: &Identifier) -> Result<Vec<Sighting>> {
        let storage = &self.shared.storage;
        let mut all = Vec::new();
        for (of, id) in self.identified(Identified::HealthQuote, by, MOST_QUOTES).await? {
            let id = QuoteId::from_uuid(id);
            let Some(quote) = storage.health_quote(of, id).await? else { continue };
            let name = quote.request.customer.name.clone();
            let name = name.unwrap_or_else(|| PersonalLine::kept(String::new()));
            let party = Party::new(PartyRole::Customer, name, None, quote.identifiers());
            all.push(Sighting { party, of, record: Sighted::Quote(id) });
        }
        for (of, id) in self.identified(Identified::Session, by, MOST_QUOTES).await? {
            let session = storage.session(of, SessionId::from_uuid(id)).await?;
            all.extend(session.map(|session| {
                let nameless = PersonalLine::kept(String::new());
                let party = Party::new(PartyRole::Customer, nameless, None, session.identifiers());
                Sighting { party, of, record: Sighted::Session(session) }
            }));
        }
        let mut seen = BTreeSet::new();
        for line in LineOfBusiness::ALL {
            for (of, id) in self.identified(Identified::Proposal(*line), by, MOST).await? {
                let id = ProposalId::from_uuid(id);
                seen.insert(id);
                by_line!(line, L => self.of_proposal::<L>(&mut all, by, of, id).await?);
            }
        }
        for (of, id) in self.identified(Identified::Policy, by, MOST).await? {
            let Some(policy) = storage.policy(of, PolicyId::from_uuid(id)).await? else { continue };
            for claim in self.policies.claims_on(&policy).await? {
                let Claimant { name, .. } = &claim.notice.claimant;
                let identifiers = claim.notice.claimant.identifiers();
                let party = Party::new(PartyRole::Claimant, name.clone(), None, identifiers);
                if is_behind(&party, by) {
                    all.push(Sighting { party, of, record: Sighted::Claim(claim.id) });
                }
            }
            match policy.proposal {
                Some(id) if !seen.insert(id) => {}
                Some(id) => by_line!(policy.line(), L => self.of_proposal::<L>(&mut all, by, of, id).await?),
                None => {
                    let behind = policy.cover.parties().into_iter().filter(|party| is_behind(party, by));
                    let record = || Sighted::Policy(Box::new(policy.clone()));
                    all.extend(behind.map(|party| Sighting { party, of, record: record() }));
                }
            }
        }
        all.extend(self.complainants(by).await?);
        let quotes: BTreeSet<QuoteId> = all.iter().filter_map(Sighting::quote).collect();
        for journey in self.journeys(by, &quotes, &seen).await? {
            let form = journey.answers.form.as_ref().map(|form| &form.proposer);
            let name = form.map_or_else(|| PersonalLine::kept(String::new()), |form| form.name.clone());
            let identifiers = form.map(|form| form.identifiers()).unwrap_or_default();
            let party = Party::new(PartyRole::Customer, name, form.map(|form| form.born), identifiers);
            all.push(Sighting { party, of: journey.partner, record: Sighted::Journey(Box::new(journey)) });
        }
        Ok(all)
    }

    /// Parties of a proposal that have an identifier, as they were at the sale or are now.
    async fn of_proposal<L: SoldLine>(
        &self,
        all: &mut Vec<Sighting>,
        by: &Identifier,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<()> {
        let storage = L::storage(self.shared.storage.as_ref());
        let Some(proposal) = storage.proposal(of, id).await? else { return Ok(()) };
        let policy = self.shared.storage.policy_of(of, id).await?.map(Box::new);
        let sold = L::parties(&proposal.application);
        let mut application = proposal.application;
        if let Some(policy) = &policy {
            policy.made_endorsements().for_each(|made| L::endorse(&mut application, &made.change));
        }
        let now = L::parties(&application);
        let place = |party: &Party| (party.role, party.member);
        let mut behind: Vec<Party> = now.iter().filter(|party| is_behind(party, by)).cloned().collect();
        for party in sold.into_iter().filter(|party| is_behind(party, by)) {
            // An applicant may have another name or contact now. An earlier nominee is another person.
            let is_applicant = matches!(party.role, PartyRole::Proposer | PartyRole::Insured);
            let changed = now.iter().find(|now| is_applicant && place(now) == place(&party)).cloned();
            let party = changed.unwrap_or(party);
            if !behind.contains(&party) {
                behind.push(party);
            }
        }
        for party in behind {
            all.push(Sighting { party, of, record: Sighted::Proposal(id, L::LINE, policy.clone()) });
        }
        Ok(())
    }

    /// Complainants without a policy whose contact has an identifier.
    async fn complainants(&self, by: &Identifier) -> Result<Vec<Sighting>> {
        let of_person =
            matches!(by.kind, IdentifierKind::Mobile | IdentifierKind::Email | IdentifierKind::Pan);
        if !of_person {
            return Ok(Vec::new());
        }
        let all = self.shared.storage.complaints(MOST_COMPLAINTS).await?;
        let sighting = |complaint: Complaint| {
            let from = complaint.from.reveal();
            let words = from.split([' ', ',', ';', ':', '(', ')', '<', '>']).filter(|word| !word.is_empty());
            let words: Vec<&str> = words.collect();
            let has_it = match by.kind {
                // A mobile number may be in parts, with the country's code before it.
                IdentifierKind::Mobile => {
                    from.chars().filter(|c| !matches!(c, ' ' | '-')).collect::<String>().contains(by.reveal())
                }
                _ => words.iter().any(|word| Identifier::of(by.kind, word.trim_end_matches('.')) == *by),
            };
            if complaint.policy.is_some() || !has_it {
                return None;
            }
            let is_contact = |word: &&str| word.contains('@') || word.contains(|c: char| c.is_ascii_digit());
            let name = words.into_iter().filter(|word| !is_contact(word)).collect::<Vec<_>>().join(" ");
            let party = Party::new(PartyRole::Complainant, PersonalLine::kept(name), None, vec![by.clone()]);
            let of = complaint.partner.unwrap_or(PartnerId::from_uuid(Uuid::nil()));
            Some(Sighting { party, of, record: Sighted::Complaint(complaint.id) })
        };
        Ok(all.into_iter().filter_map(sighting).collect())
    }

    /// Complaints about a person's policies.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn complaints_of(&self, records: &PersonRecords) -> Result<Vec<ComplaintId>> {
        let mut all = Vec::new();
        for (of, policy) in &records.policies {
            let about = self.shared.storage.complaints_about(*of, *policy).await?;
            all.extend(about.into_iter().map(|complaint| complaint.id));
        }
        all.extend(&records.complaints);
        Ok(all)
    }

    /// Ids of a person's health quotes, each with the facts of its request.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn quote_facts(&self, records: &PersonRecords) -> Result<Vec<(PartnerId, QuoteId, Facts)>> {
        let mut all = Vec::new();
        for (of, id) in &records.quotes {
            let quote = self.shared.storage.health_quote(*of, *id).await?;
            all.extend(quote.map(|quote| (*of, *id, quote_facts(&quote))));
        }
        Ok(all)
    }

    /// Ids of a person's open journeys, each with the facts that the person entered.
    pub fn journey_facts(&self, records: &PersonRecords) -> Vec<(String, Facts)> {
        let today = day_of(self.shared.clock.now());
        let facts =
            |journey: &Journey| (JourneyId::from_uuid(journey.id).to_string(), journey_facts(journey, today));
        records.journeys.iter().map(facts).collect()
    }

    /// Health quote from which a proposal was made, if the quote is still stored.
    async fn health_quote_of(
        &self,
        of: PartnerId,
        id: ProposalId,
        line: LineOfBusiness,
    ) -> Result<Option<(PartnerId, QuoteId)>> {
        if line != LineOfBusiness::Health {
            return Ok(None);
        }
        let proposal = Health::storage(self.shared.storage.as_ref()).proposal(of, id).await?;
        let chosen =
            proposal.and_then(|proposal| proposal.application.journey().map(|made| made.chosen.quote));
        let Some(quote) = chosen else { return Ok(None) };
        Ok(self.shared.storage.health_quote(of, quote).await?.map(|_| (of, quote)))
    }

    async fn identified(
        &self,
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>> {
        let of = self.shared.directory.partner_ids();
        let found = self.shared.storage.identified(&of, kind, by, most).await?;
        match matches!(kind, Identified::HealthQuote | Identified::Session) || found.len() < most {
            true => Ok(found),
            false => Err(Error::conflict(
                "Too many records have this identifier: it cannot be one person's.".into(),
            )),
        }
    }
}

/// Whether an identifier belongs to a party.
fn is_behind(party: &Party, by: &Identifier) -> bool {
    match by.kind {
        IdentifierKind::Mobile | IdentifierKind::Email | IdentifierKind::Pan => {
            party.identifiers.contains(by)
        }
        IdentifierKind::Reference | IdentifierKind::Lead | IdentifierKind::User => {
            matches!(party.role, PartyRole::Customer | PartyRole::Proposer | PartyRole::Insured)
        }
    }
}
