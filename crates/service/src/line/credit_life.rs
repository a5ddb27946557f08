//! Credit life as a line that this service sells.

use domain::credit_life::{CreditApplication, CreditCover, CreditLife, EmbeddedProposal, ProposalStatus};
use domain::date::Date;
use domain::endorsement::CoverTerms;
use domain::event::EventType;
use domain::id::VariantId;
use domain::person::{Nominee, Person, PersonalLine};
use domain::policy::Policy;
use domain::proposal::Actor;
use domain::quote::CatalogueHash;
use rating::{Catalogue, CreditVariant, Product};

use super::{Covered, CoveredMember, CoveredNominee, Genuine, SoldLine, credit_life_facts};
use crate::error::{Error, Faults, Result};
use crate::insurer::Submission;
use crate::line::certificate;
use crate::line::certificate::Printed;
use crate::line::person::Facts;
use crate::line::sale_rules::{EarlierSales, SaleRules};
use crate::storage::{Lines, Proposals};

/// Facts for the page behind a certificate's QR code.
pub(super) fn genuine<'c>(cover: &CreditCover, catalogue: &'c Catalogue) -> Result<Genuine<'c>> {
    Ok(Genuine {
        product: &variant(catalogue, cover.variant)?.product,
        initials: cover.holder.initials(),
        period: cover.period,
    })
}

/// Credit-life part of a policy.
pub(crate) fn cover_of(policy: &Policy) -> Result<&CreditCover> {
    policy
        .cover
        .credit_life()
        .ok_or_else(|| Error::Internal(format!("{} is no credit-life policy", policy.id)))
}

impl SoldLine for CreditLife {
    const PENDING: ProposalStatus = ProposalStatus::Pending;
    const SUBMITTED_BY: Actor = Actor::Partner;

    fn event(status: ProposalStatus) -> EventType {
        match status {
            ProposalStatus::Draft => EventType::ProposalCreated,
            ProposalStatus::Pending => EventType::ProposalSubmitted,
            ProposalStatus::Completed => EventType::ProposalCompleted,
            ProposalStatus::Rejected => EventType::ProposalRejected,
        }
    }

    fn storage(storage: &dyn Lines) -> &dyn Proposals<Self> {
        storage
    }

    fn catalogue_of(proposal: &EmbeddedProposal) -> Option<CatalogueHash> {
        Some(proposal.application.quoted.catalogue)
    }

    fn product<'c>(catalogue: &'c Catalogue, proposal: &EmbeddedProposal) -> Result<&'c Product> {
        variant(catalogue, proposal.application.variant).map(|variant| variant.product.as_ref())
    }

    fn certificate(
        policy: &Policy,
        proposal: &EmbeddedProposal,
        catalogue: &Catalogue,
        printed: &Printed<'_>,
    ) -> Result<::certificate::Certificate> {
        let cover = cover_of(policy)?;
        let variant = variant(catalogue, cover.variant)?;
        certificate::credit_life((policy, cover), proposal, catalogue, variant, printed)
    }

    fn covered(
        policy: &Policy,
        proposal: Option<&EmbeddedProposal>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Covered> {
        let lost = || Error::Internal(format!("the catalogue of policy {} is missing", policy.id));
        let (cover, catalogue) = (cover_of(policy)?, catalogue.ok_or_else(lost)?);
        let application = proposal.map(|proposal| policy.endorsed::<Self>(&proposal.application));
        let request = application.as_ref().map(|application| &application.request);
        let variant = variant(catalogue, cover.variant)?;
        let member = |person: &Person| CoveredMember {
            name: person.name.full(),
            born: person.born,
            relationship: None,
            gender: Some(person.gender),
        };
        let nominee = |nominee: &Nominee| CoveredNominee {
            name: nominee.name.full(),
            relationship: PersonalLine::kept(nominee.relationship.word().to_owned()),
        };
        Ok(Covered {
            product: Some(variant.product.clone()),
            insurer: variant.insurer().name.clone(),
            product_name: variant.product.name.clone(),
            variant_id: variant.id.to_string(),
            variant_name: variant.name.clone(),
            quote_id: request.map(|request| request.quote.to_string()),
            starts: Some(cover.period.starts),
            schedule: variant.schedule(policy.sum_insured, cover.term_months),
            settlement: Some(cover.settlement.clone()),
            members: request.iter().flat_map(|request| &request.insured_members).map(member).collect(),
            nominees: request.iter().flat_map(|request| &request.nominees).map(nominee).collect(),
        })
    }

    async fn repriced(
        rules: &SaleRules,
        catalogue: &Catalogue,
        policy: &Policy,
        changed: &CreditApplication,
    ) -> Result<Result<CoverTerms, String>> {
        let cover = cover_of(policy)?;
        let variant = variant(catalogue, cover.variant)?;
        let sold = changed.sold();
        let premium = rules.credit_price(policy.partner, variant, &sold, cover.period.starts).await?;
        let terms = |premium| CoverTerms { sum_insured: sold.cover.amount(), premium };
        Ok(premium.map(terms).map_err(|why| why.to_string()))
    }

    async fn broken_rules(
        rules: &SaleRules,
        catalogue: &Catalogue,
        proposal: &EmbeddedProposal,
        on: Date,
        by: Actor,
    ) -> Result<Faults> {
        let application = &proposal.application;
        let variant = variant(catalogue, application.variant)?;
        let sale = (proposal.partner, Some(proposal.id));
        rules.credit_life(sale, variant, application, proposal.premium, on, by).await
    }

    async fn earlier_sales(
        rules: &SaleRules,
        catalogue: &Catalogue,
        proposal: &EmbeddedProposal,
    ) -> Result<EarlierSales> {
        rules.earlier_sales(proposal, variant(catalogue, proposal.application.variant)?).await
    }

    fn proposer_name(application: &CreditApplication) -> Option<&PersonalLine> {
        Some(&application.request.proposer.name.first)
    }

    fn facts(proposal: &EmbeddedProposal, catalogue: Option<&Catalogue>, on: Date) -> Result<Facts> {
        let catalogue =
            catalogue.ok_or_else(|| Error::Internal("the catalogue of a proposal is missing".into()))?;
        let variant = variant(catalogue, proposal.application.variant)?;
        Ok(credit_life_facts::facts(proposal, variant, on))
    }

    fn submission(proposal: &EmbeddedProposal) -> Option<Submission<'_>> {
        Some(Submission::CreditLife(proposal))
    }

    /// Credit life has no status that shows an insurer's progress.
    fn progress(_: ProposalStatus, _: bool) -> Option<ProposalStatus> {
        None
    }
}

/// Variant of a stored record, in the record's own catalogue version.
pub(crate) fn variant(catalogue: &Catalogue, id: VariantId) -> Result<&CreditVariant> {
    let found = catalogue.credit_variant(id);
    found.ok_or_else(|| Error::Internal(format!("variant {id} is not in its catalogue version")))
}
