//! Records about a person by an identifier, for the rights under the DPDP Act (section 11).
//!
//! Uses `error`, `line`, `outside`, `policy`, `shared`.
//!
//! Quotes of credit life name no person, so they are not searched. Journeys are stored only until a day after
//! the customer's last visit.

pub mod breach;
pub mod consent;
pub mod correction;
pub mod erasure;
pub mod report;

use std::sync::Arc;

use domain::date::day_of;
use domain::health_proposal::Health;
use domain::id::{ClaimId, ComplaintId, JourneyId, PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::identifier::Identifier;
use domain::journey::Journey;
use domain::line::LineOfBusiness;

use crate::error::{Error, Result};
use crate::line::SoldLine;
use crate::line::health_facts::{journey_facts, quote_facts};
use crate::line::person::Facts;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::{AnyPolicy, Identified};

/// Most records of a kind that one person can have. An identifier with more records does not belong to one
/// person.
const MOST: usize = 1000;

/// Records about a person, each with its partner.
#[derive(Debug, Default)]
pub struct PersonRecords {
    pub quotes: Vec<(PartnerId, QuoteId)>,
    pub proposals: Vec<(PartnerId, ProposalId, LineOfBusiness)>,
    pub policies: Vec<(PartnerId, PolicyId)>,
    pub claims: Vec<(PartnerId, ClaimId)>,
}

/// Finds the records about a person.
pub struct PersonService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl PersonService {
    /// Records of every partner that have an identifier, with the quotes, policies and claims that belong to
    /// them.
    ///
    /// # Errors
    /// [`Error::Conflict`] if there are more records than one person can have.
    pub async fn records_of(&self, by: &Identifier) -> Result<PersonRecords> {
        let storage = &self.shared.storage;
        let mut records = PersonRecords::default();
        let quotes = self.identified(Identified::HealthQuote, by).await?;
        records.quotes.extend(quotes.into_iter().map(|(of, id)| (of, QuoteId::from_uuid(id))));
        let mut policies: Vec<AnyPolicy> = Vec::new();
        for (of, id) in self.identified(Identified::Policy, by).await? {
            policies.extend(storage.any_policy(of, PolicyId::from_uuid(id)).await?);
        }
        for line in LineOfBusiness::ALL {
            for (of, id) in self.identified(Identified::Proposal(*line), by).await? {
                let id = ProposalId::from_uuid(id);
                records.proposals.push((of, id, *line));
                records.quotes.extend(self.health_quote_of(of, id, *line).await?);
                policies.extend(storage.any_policy_of(of, id).await?);
            }
        }
        records.quotes.sort_unstable();
        records.quotes.dedup();
        policies.sort_by_key(|policy| policy.id().uuid());
        policies.dedup_by_key(|policy| policy.id());
        for policy in policies.iter().rev() {
            records.policies.push((policy.partner(), policy.id()));
            let claims = self.policies.claims_on(policy).await?;
            records.claims.extend(claims.iter().map(|claim| (claim.partner, claim.id)));
        }
        Ok(records)
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
    ///
    /// # Errors
    /// The errors of [`PersonService::plan_erasure`].
    pub async fn journey_facts(
        &self,
        by: &Identifier,
        records: &PersonRecords,
    ) -> Result<Vec<(String, Facts)>> {
        let today = day_of(self.shared.clock.now());
        let facts =
            |journey: Journey| (JourneyId::from_uuid(journey.id).to_string(), journey_facts(&journey, today));
        Ok(self.journeys_of(by, records).await?.into_iter().map(facts).collect())
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

    async fn identified(&self, kind: Identified, by: &Identifier) -> Result<Vec<(PartnerId, Uuid)>> {
        let of = self.shared.directory.partner_ids();
        let found = self.shared.storage.identified(&of, kind, by, MOST).await?;
        match found.len() < MOST {
            true => Ok(found),
            false => Err(Error::conflict(
                "Too many records have this identifier: it cannot be one person's.".into(),
            )),
        }
    }
}
