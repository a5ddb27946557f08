//! Insurers' access to claims over HTTP (D94).
//!
//! An insurer reads its claims with their documents, and reports its decisions and payments.

use std::sync::Arc;

use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::id::{ClaimDocumentId, ClaimId, InsurerId, PartnerId};
use domain::proposal::Actor;

use crate::claim::paper::ClaimPaperService;
use crate::claim::settlement::{ClaimPaid, ClaimVerdict};
use crate::claim::{ClaimService, unknown_claim};
use crate::error::{Error, Result};
use crate::policy::PolicyService;
use crate::policy::claim_cover::ClaimCover;
use crate::shared::Shared;

/// Report of an insurer about a claim.
#[derive(Debug, Clone)]
pub enum ClaimTold {
    Stands(ClaimVerdict),
    Paid(ClaimPaid),
}

impl ClaimTold {
    /// Whether the claim already matches the report.
    fn is_so(&self, claim: &Claim) -> bool {
        match self {
            ClaimTold::Stands(verdict) => {
                let is_approved = verdict.state == ClaimState::Approved;
                claim.state == verdict.state && (!is_approved || claim.approved == verdict.approved)
            }
            ClaimTold::Paid(payment) => claim.was_paid_with(payment.reference.as_str()),
        }
    }
}

/// Shows claims to their insurers and takes their reports.
pub struct InsurerClaimService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) claims: Arc<ClaimService>,
    pub(crate) papers: Arc<ClaimPaperService>,
    pub(crate) policies: Arc<PolicyService>,
}

impl InsurerClaimService {
    /// Claim on a policy of this insurer, with the partner that owns it.
    ///
    /// # Errors
    /// [`Error::Unknown`], also for a claim on another insurer's policy.
    pub async fn find(&self, insurer: InsurerId, id: ClaimId) -> Result<(PartnerId, Claim)> {
        let of = self.claims.owner(id).await?;
        let claim = self.claims.find(of, id).await?;
        let policy = self.policies.find(of, claim.policy).await?;
        let covered = self.policies.covered_in_short(&policy).await?;
        let is_test = self.shared.partner_clock.is_test(of);
        let is_its_own = !is_test && covered.product.is_some_and(|product| product.insurer.id == insurer);
        is_its_own.then_some((of, claim)).ok_or_else(|| unknown_claim(id))
    }

    /// A claim, the cover that it draws on, and its documents, oldest first.
    ///
    /// # Errors
    /// The errors of [`InsurerClaimService::find`].
    pub async fn papers(
        &self,
        insurer: InsurerId,
        id: ClaimId,
    ) -> Result<(Claim, ClaimCover, Vec<ClaimDocument>)> {
        let (of, claim) = self.find(insurer, id).await?;
        let papers = self.papers.list(of, id).await?;
        let cover = self.claims.cover(&claim).await?;
        Ok((claim, cover, papers))
    }

    /// Document of a claim, with the partner that owns the claim.
    ///
    /// # Errors
    /// The errors of [`InsurerClaimService::find`]; [`Error::Unknown`] if the claim does not have the
    /// document.
    pub async fn paper(
        &self,
        insurer: InsurerId,
        id: ClaimId,
        paper: ClaimDocumentId,
    ) -> Result<(PartnerId, ClaimDocument)> {
        let (of, _) = self.find(insurer, id).await?;
        Ok((of, self.papers.find(of, id, paper).await?))
    }

    /// Takes an insurer's report about a claim. The same report again changes nothing.
    ///
    /// # Errors
    /// The errors of [`InsurerClaimService::find`], [`ClaimService::decide`] and [`ClaimService::paid`].
    pub async fn hear(&self, insurer: InsurerId, id: ClaimId, told: ClaimTold) -> Result<Claim> {
        let (of, claim) = self.find(insurer, id).await?;
        if told.is_so(&claim) {
            return Ok(claim);
        }
        let heard = match told.clone() {
            ClaimTold::Stands(verdict) => self.claims.decide(id, Actor::Insurer, verdict).await,
            ClaimTold::Paid(payment) => self.claims.paid(id, Actor::Insurer, payment).await,
        };
        match heard {
            // Another process may have applied the same report at the same time.
            Err(Error::Refused(why)) => {
                let claim = self.claims.find(of, id).await?;
                if told.is_so(&claim) { Ok(claim) } else { Err(Error::Refused(why)) }
            }
            other => other,
        }
    }
}
