//! Everything that the store has about a person, by what they are known by: for their rights under the DPDP Act (section 11).
//!
//! Quotes of credit life name no person. Journeys are drafts of a day, and become proposals.

use std::sync::Arc;

use domain::id::{ClaimId, PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;

use crate::error::{Error, Result};
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::{AnyPolicy, Identified};

/// Most records of a kind. An identifier with more does not belong to one person.
const MOST: usize = 1000;

/// The records about a person, each with the partner that sold it. The newest first.
#[derive(Debug, Default)]
pub struct PersonRecords {
    pub quotes: Vec<(PartnerId, QuoteId)>,
    pub proposals: Vec<(PartnerId, ProposalId)>,
    pub policies: Vec<(PartnerId, PolicyId)>,
    pub claims: Vec<(PartnerId, ClaimId)>,
}

/// Finds the records about a person.
pub struct PersonService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl PersonService {
    /// The records of every partner that bear an identifier, and those that follow from them.
    ///
    /// # Errors
    /// [`Error::Conflict`] if there are more than one person can have.
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
                records.proposals.push((of, id));
                policies.extend(storage.any_policy_of(of, id).await?);
            }
        }
        policies.sort_by_key(|policy| policy.id().uuid());
        policies.dedup_by_key(|policy| policy.id());
        for policy in policies.iter().rev() {
            records.policies.push((policy.partner(), policy.id()));
            let claims = self.policies.claims_on(policy).await?;
            records.claims.extend(claims.iter().map(|claim| (claim.partner, claim.id)));
        }
        Ok(records)
    }

    async fn identified(&self, kind: Identified, by: &Identifier) -> Result<Vec<(PartnerId, Uuid)>> {
        let of = self.shared.directory.partner_ids();
        let found = self.shared.storage.identified(&of, kind, by, MOST).await?;
        match found.len() < MOST {
            true => Ok(found),
            false => Err(Error::Conflict("More records have this than one person can have.".into())),
        }
    }
}
