//! What the use cases need of a line of business to sell it: a file for each line.
//!
//! Uses `catalogue`, `error`, `insurer`, `shared`.
//!

pub mod certificate;
pub(crate) mod credit_life;
pub(crate) mod credit_pricing;
pub(crate) mod health;
pub mod person;
pub(crate) mod sale_rules;

mod credit_life_facts;
mod facts;
pub(crate) mod health_facts;

use domain::date::Date;
use domain::endorsement::CoverTerms;
use domain::event::EventType;
use domain::line::{Line, ProposalState};
use domain::person::PersonalLine;
use domain::policy::{CoverPeriod, Policy};
use domain::proposal::{Actor, Decision, Proposal};
use domain::quote::CatalogueHash;
use domain::sandbox::TestName;
use rating::{Catalogue, Connector, Product};

use crate::error::{Faults, Result};
use crate::insurer::Submission;

pub use crate::insurer::covered::{Covered, CoveredMember, CoveredNominee};
use crate::line::certificate::Printed;
use crate::line::person::Facts;
use crate::line::sale_rules::SaleRules;
use crate::storage::{LineStorage, Lines};

/// A line of business that this service sells.
pub trait SoldLine: Line {
    /// The state of a proposal that was submitted and that nobody has looked at yet.
    const PENDING: Self::Status;

    /// Who submits a proposal that is not submitted yet.
    const SUBMITTED_BY: Actor;

    /// What happened to a proposal that comes to stand in a state.
    fn event(status: Self::Status) -> EventType;

    /// Its part of a store.
    fn storage(storage: &dyn Lines) -> &dyn LineStorage<Self>;

    /// The catalogue version whose names, texts and rates hold for a proposal. `None` for an imported one.
    fn catalogue_of(proposal: &Proposal<Self>) -> Option<CatalogueHash>;

    /// The catalogue version of a policy. `None` for an imported one.
    fn catalogue_of_policy(policy: &Policy<Self>) -> Option<CatalogueHash>;

    /// The product that was applied for, in its own catalogue version.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] when that version does not have it.
    fn product<'c>(catalogue: &'c Catalogue, proposal: &Proposal<Self>) -> Result<&'c Product>;

    /// What the certificate of a new policy says.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] when the catalogue version lacks something.
    fn certificate(
        policy: &Policy<Self>,
        proposal: &Proposal<Self>,
        catalogue: &Catalogue,
        printed: &Printed<'_>,
    ) -> Result<::certificate::Certificate>;

    /// What the page behind a certificate's QR code shows of a policy. `None` for an imported one.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] when the catalogue version lacks something.
    fn genuine<'c>(policy: &Policy<Self>, catalogue: &'c Catalogue) -> Result<Option<Genuine<'c>>>;

    /// What a policy covers, of what and for whom. `catalogue` is the policy's own; an imported policy has none. Without its
    /// proposal, a policy of credit life has neither members nor quote.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] when the catalogue version lacks something.
    fn covered(
        policy: &Policy<Self>,
        proposal: Option<&Proposal<Self>>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Covered>;

    /// What a policy covers and costs with a change, by the rates of its sale; or every reason why it cannot be so. `changed` is
    /// what its proposal says with its endorsements and the change.
    ///
    /// # Errors
    /// [`crate::Error::InsurerUnavailable`], [`crate::Error::Internal`] when the catalogue version lacks something.
    fn repriced(
        rules: &SaleRules,
        catalogue: &Catalogue,
        policy: &Policy<Self>,
        changed: &Self::Application,
    ) -> impl Future<Output = Result<Result<CoverTerms, String>>> + Send;

    /// Every rule of the product that a policy issued on a day would break. `by` is who has it issued.
    ///
    /// # Errors
    /// [`crate::Error::InsurerUnavailable`], [`crate::Error::Internal`] when the catalogue version lacks something.
    fn broken_rules(
        rules: &SaleRules,
        catalogue: &Catalogue,
        proposal: &Proposal<Self>,
        on: Date,
        by: Actor,
    ) -> impl Future<Output = Result<Faults>> + Send;

    /// The name of who proposes, the first name first, where it is told.
    fn proposer_name(application: &Self::Application) -> Option<&PersonalLine>;

    /// Everything that a proposal holds, for who decides it, with ages and cover as if its policy were issued on a day.
    /// `catalogue` is the proposal's own version.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] when the catalogue version lacks something.
    fn facts(proposal: &Proposal<Self>, catalogue: Option<&Catalogue>, on: Date) -> Result<Facts>;

    /// What is handed to an insurer that decides. `None` for an imported proposal.
    fn submission(proposal: &Proposal<Self>) -> Option<Submission<'_>>;

    /// The state that shows how far the insurer has come with a proposal in `status`: it has the proposal, or, asked
    /// again, it still looks at it. `None` where nothing changes.
    fn progress(status: Self::Status, asked_again: bool) -> Option<Self::Status>;
}

/// What a policy's check page shows.
pub struct Genuine<'c> {
    pub product: &'c Product,
    /// Initials of who is insured.
    pub initials: String,
    /// From when to when it covers.
    pub period: CoverPeriod,
}

/// Whether a proposal waits for its insurer, and the insurer can be asked (D29).
pub(crate) fn asks_insurer<L: SoldLine>(proposal: &Proposal<L>, product: &Product) -> bool {
    proposal.status == L::PENDING
        && product.decision == Decision::Insurer
        && product.insurer.connector != Connector::RateTable
}

/// The moves that complete a submitted proposal of a straight-through product (D29); none for every other.
pub(crate) fn straight_through<L: SoldLine>(status: L::Status, product: &Product) -> Vec<L::Status> {
    if status != L::PENDING || product.decision != Decision::StraightThrough {
        return Vec::new();
    }
    status.way_to(L::Status::ISSUED).unwrap_or_default()
}

/// What the first name of a proposer does in a sandbox (D97).
pub(crate) fn test_name<L: SoldLine>(proposal: &Proposal<L>) -> Option<TestName> {
    L::proposer_name(&proposal.application).and_then(|name| TestName::of(name.reveal()))
}
