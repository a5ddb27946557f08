//! Health as a line that this service sells.

use domain::date::{Date, day_of};
use domain::endorsement::CoverTerms;
use domain::event::EventType;
use domain::health_policy::{HealthCover, PolicyOrigin};
use domain::health_proposal::{
    Chosen, Health, HealthApplication, HealthNominee, HealthProposal, HealthProposalStatus, InsuredMember,
    ProposalOrigin,
};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::proposal::Actor;
use domain::quote::CatalogueHash;
use rating::{Catalogue, HealthVariant, Product};

use super::{Covered, CoveredMember, CoveredNominee, Genuine, SoldLine, health_facts};
use crate::catalogue::lost_variant;
use crate::error::{Error, Faults, Result};
use crate::insurer::Submission;
use crate::line::certificate;
use crate::line::certificate::Printed;
use crate::line::person::Facts;
use crate::line::sale_rules::SaleRules;
use crate::storage::{Lines, Proposals};

/// Facts for the page behind a certificate's QR code. `None` for an imported policy.
pub(super) fn genuine<'c>(cover: &HealthCover, catalogue: &'c Catalogue) -> Result<Option<Genuine<'c>>> {
    let Some(issued) = cover.issued() else { return Ok(None) };
    Ok(Some(Genuine {
        product: &variant_of(catalogue, &issued.chosen)?.product,
        initials: cover.proposer.name.initials(),
        period: issued.period,
    }))
}

/// Health part of a policy.
pub(crate) fn cover_of(policy: &Policy) -> Result<&HealthCover> {
    policy.cover.health().ok_or_else(|| Error::Internal(format!("{} is no health policy", policy.id)))
}

impl SoldLine for Health {
    const PENDING: HealthProposalStatus = HealthProposalStatus::Pending;
    /// The journey submits its proposals at once. Only an imported proposal may wait for its submission.
    const SUBMITTED_BY: Actor = Actor::Service;

    fn event(status: HealthProposalStatus) -> EventType {
        match status {
            HealthProposalStatus::Initiated => EventType::ProposalCreated,
            HealthProposalStatus::Pending | HealthProposalStatus::Underwriting => {
                EventType::ProposalUnderReview
            }
            HealthProposalStatus::Submitted => EventType::ProposalSubmitted,
            HealthProposalStatus::Offline => EventType::ProposalReferred,
            HealthProposalStatus::Accepted => EventType::ProposalCompleted,
            HealthProposalStatus::Rejected => EventType::ProposalRejected,
            HealthProposalStatus::Cancelled => EventType::ProposalCancelled,
        }
    }

    fn storage(storage: &dyn Lines) -> &dyn Proposals<Self> {
        storage
    }

    fn catalogue_of(proposal: &HealthProposal) -> Option<CatalogueHash> {
        proposal.application.journey().map(|made| made.chosen.catalogue)
    }

    fn product<'c>(catalogue: &'c Catalogue, proposal: &HealthProposal) -> Result<&'c Product> {
        let made = proposal.application.journey().ok_or_else(imported)?;
        variant_of(catalogue, &made.chosen).map(|variant| variant.product.as_ref())
    }

    fn certificate(
        policy: &Policy,
        _: &HealthProposal,
        catalogue: &Catalogue,
        printed: &Printed<'_>,
    ) -> Result<::certificate::Certificate> {
        let cover = cover_of(policy)?;
        let issued = cover.issued().ok_or_else(imported)?;
        let variant = variant_of(catalogue, &issued.chosen)?;
        certificate::health((policy, cover), issued, catalogue, variant, printed)
    }

    fn covered(
        policy: &Policy,
        _: Option<&HealthProposal>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Covered> {
        let cover = cover_of(policy)?;
        let member = |member: &InsuredMember| CoveredMember {
            name: member.name.clone(),
            born: member.born,
            relationship: Some(member.relationship.clone()),
            gender: None,
        };
        let members = cover.members.iter().map(member).collect();
        let nominee = |nominee: &HealthNominee| CoveredNominee {
            name: nominee.name.clone(),
            relationship: nominee.relationship.clone(),
        };
        let nominees = cover.nominees.iter().map(nominee).collect();
        Ok(match &cover.origin {
            PolicyOrigin::Import(brought) => Covered {
                product: None,
                insurer: brought.plan.insurer_name.clone(),
                product_name: brought.plan.product_name.clone(),
                variant_id: brought.plan.variant_id.clone(),
                variant_name: brought.plan.variant_name.clone(),
                quote_id: brought.quote_id.clone(),
                starts: None,
                schedule: Vec::new(),
                settlement: None,
                members,
                nominees,
            },
            PolicyOrigin::Issued(issued) => {
                let variant = variant_of(catalogue.ok_or_else(imported)?, &issued.chosen)?;
                Covered {
                    product: Some(variant.product.clone()),
                    insurer: variant.insurer().name.clone(),
                    product_name: variant.product.name.clone(),
                    variant_id: variant.id.to_string(),
                    variant_name: variant.name.clone(),
                    // For a renewal there is no quote id, because its quote is not stored.
                    quote_id: issued.chosen.renewal.is_none().then(|| issued.chosen.quote.to_string()),
                    starts: Some(issued.period.starts),
                    schedule: Vec::new(),
                    settlement: Some(issued.settlement.clone()),
                    members,
                    nominees,
                }
            }
        })
    }

    async fn repriced(
        rules: &SaleRules,
        catalogue: &Catalogue,
        policy: &Policy,
        changed: &HealthApplication,
    ) -> Result<Result<CoverTerms, String>> {
        let made = changed.journey().ok_or_else(imported)?;
        let starts = made.starts(day_of(policy.issued_at));
        let Some(request) = made.request_on(starts) else {
            return Ok(Err(
                "Each person must be born by the first day of cover and at most 120 years old.".to_owned()
            ));
        };
        let variant = variant_of(catalogue, &made.chosen)?;
        let years = cover_of(policy)?.tenure;
        let premium = rules.health_price(policy.partner, catalogue, variant, &request, years, starts).await?;
        Ok(premium.map(|premium| CoverTerms { sum_insured: policy.sum_insured, premium }))
    }

    async fn broken_rules(
        rules: &SaleRules,
        catalogue: &Catalogue,
        proposal: &HealthProposal,
        on: Date,
        by: Actor,
    ) -> Result<Faults> {
        let made = proposal.application.journey().ok_or_else(imported)?;
        rules.health(catalogue, variant_of(catalogue, &made.chosen)?, proposal, made, on, by).await
    }

    fn proposer_name(application: &HealthApplication) -> Option<&PersonalLine> {
        application.journey().map(|made| &made.form.proposer.name)
    }

    fn facts(proposal: &HealthProposal, catalogue: Option<&Catalogue>, on: Date) -> Result<Facts> {
        match (&proposal.application.origin, catalogue) {
            (ProposalOrigin::Journey(made), Some(catalogue)) => {
                let variant = variant_of(catalogue, &made.chosen)?;
                Ok(health_facts::facts(proposal, made, catalogue, variant, on))
            }
            (ProposalOrigin::Journey(_), None) => {
                Err(Error::Internal("the catalogue of a proposal is missing".into()))
            }
            (ProposalOrigin::Import(brought), _) => Ok(health_facts::imported_facts(proposal, brought)),
        }
    }

    fn submission(proposal: &HealthProposal) -> Option<Submission<'_>> {
        proposal.application.journey().map(|made| Submission::Health { proposal, made })
    }

    fn progress(status: HealthProposalStatus, asked_again: bool) -> Option<HealthProposalStatus> {
        match (status, asked_again) {
            (HealthProposalStatus::Pending, _) => Some(HealthProposalStatus::Submitted),
            (HealthProposalStatus::Submitted, true) => Some(HealthProposalStatus::Underwriting),
            _ => None,
        }
    }
}

fn imported() -> Error {
    Error::Internal("an imported record has no product in this service's catalogues".into())
}

/// Chosen variant, in the catalogue version that priced it.
pub(crate) fn variant_of<'c>(catalogue: &'c Catalogue, chosen: &Chosen) -> Result<&'c HealthVariant> {
    let lost = || lost_variant(chosen.variant);
    catalogue.health_variant(chosen.variant).ok_or_else(|| lost().into())
}
