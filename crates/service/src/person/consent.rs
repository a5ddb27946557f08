//! Consents of a person, given or withdrawn (DPDP Act, section 6).

use domain::date::Timestamp;
use domain::health_proposal::{Consent, ConsentPurpose, Health};
use domain::id::{PartnerId, ProposalId};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;

use super::{PersonRecords, PersonService};
use crate::error::{Error, Result};
use crate::line::SoldLine;

/// Consent with its withdrawal, if any.
#[derive(Debug, Clone)]
pub struct ConsentShown {
    pub partner: PartnerId,
    pub proposal: ProposalId,
    pub consent: Consent,
    /// Time of the withdrawal.
    pub withdrawn_at: Option<Timestamp>,
}

impl PersonService {
    /// Every consent that the hosted pages requested from a person.
    ///
    /// # Errors
    /// The errors of [`PersonService::people_of`].
    pub async fn consents(&self, by: &Identifier) -> Result<Vec<ConsentShown>> {
        let mut consents = Vec::new();
        for person in self.people_of(by).await? {
            consents.extend(self.consents_in(&person.records).await?);
        }
        Ok(consents)
    }

    /// Every consent in a person's records.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn consents_in(&self, records: &PersonRecords) -> Result<Vec<ConsentShown>> {
        let mut consents = Vec::new();
        for (of, id, _) in records.proposals.iter().filter(|(.., line)| *line == LineOfBusiness::Health) {
            consents.extend(self.consents_of(*of, *id).await?);
        }
        Ok(consents)
    }

    async fn consents_of(&self, of: PartnerId, id: ProposalId) -> Result<Vec<ConsentShown>> {
        let storage = Health::storage(self.shared.storage.as_ref());
        let Some(proposal) = storage.proposal(of, id).await? else { return Ok(Vec::new()) };
        let Some(journey) = proposal.application.journey() else { return Ok(Vec::new()) };
        let withdrawn = self.shared.storage.withdrawn_consents(of, id).await?;
        let shown = |consent: &Consent| ConsentShown {
            partner: of,
            proposal: id,
            consent: consent.clone(),
            withdrawn_at: withdrawn
                .iter()
                .find(|(purpose, _)| *purpose == consent.purpose)
                .map(|(_, at)| *at),
        };
        Ok(journey.consents.iter().map(shown).collect())
    }

    /// Records that a customer withdrew a consent. What was done before the withdrawal stays lawful.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the consent was not given, or was already withdrawn.
    pub async fn withdraw_consent(&self, id: ProposalId, purpose: ConsentPurpose) -> Result<ConsentShown> {
        let owner = self.shared.storage.owner_of_proposal(id).await?;
        let (of, _) = owner.ok_or_else(|| Error::Unknown { what: "proposal", id: id.to_string() })?;
        let mut consents = self.consents_of(of, id).await?.into_iter();
        let Some(shown) = consents.find(|shown| shown.consent.purpose == purpose && shown.consent.given)
        else {
            return Err(Error::conflict(format!("{id} has no consent for {purpose}.")));
        };
        let at = self.shared.partner_clock.now(of);
        if !self.shared.storage.withdraw_consent(of, id, purpose, at).await? {
            return Err(Error::conflict(format!("The consent of {id} for {purpose} was already withdrawn.")));
        }
        Ok(ConsentShown { withdrawn_at: Some(at), ..shown })
    }
}
