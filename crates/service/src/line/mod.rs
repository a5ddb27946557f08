//! Interface of a line of business to the use cases. Each line of business has a file.
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
use domain::line::ProposalState;
use domain::person::PersonalLine;
use domain::policy::{Cover, CoverPeriod, Policy, PolicyLine};
use domain::proposal::{Actor, Decision, Proposal};
use domain::quote::CatalogueHash;
use domain::sandbox::TestName;
use rating::{Catalogue, Connector, Product};

use crate::error::{Faults, Result};
use crate::insurer::Submission;

pub use crate::insurer::covered::{Covered, CoveredMember, CoveredNominee};
use crate::line::certificate::Printed;
use crate::line::person::Facts;
use crate::line::sale_rules::{EarlierSales, SaleRules};
use crate::storage::{Lines, Proposals};

/// A line of business that this service sells.
pub trait SoldLine: PolicyLine {
    /// Status of a submitted proposal that nobody has processed yet.
    const PENDING: Self::Status;

    /// Actor who submits a proposal.
    const SUBMITTED_BY: Actor;

    /// Type of the event for a proposal that moves to a status.
    fn event(status: Self::Status) -> EventType;

    /// The part of a store that holds this line's proposals.
    fn storage(storage: &dyn Lines) -> &dyn Proposals<Self>;

    /// Catalogue version whose names, texts and rates apply to a proposal. `None` for an imported proposal.
    fn catalogue_of(proposal: &Proposal<Self>) -> Option<CatalogueHash>;

    /// Product of a proposal, in the proposal's own catalogue version.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if that version does not have the product.
    fn product<'c>(catalogue: &'c Catalogue, proposal: &Proposal<Self>) -> Result<&'c Product>;

    /// Certificate of a new policy.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the catalogue version lacks an entry.
    fn certificate(
        policy: &Policy,
        proposal: &Proposal<Self>,
        catalogue: &Catalogue,
        printed: &Printed<'_>,
    ) -> Result<::certificate::Certificate>;

    /// Cover of a policy, with the insured persons. `catalogue` is the policy's own catalogue version, `None`
    /// for an imported policy. If `proposal` is `None`, a credit-life policy gets neither members nor a quote
    /// id.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the catalogue version lacks an entry.
    fn covered(
        policy: &Policy,
        proposal: Option<&Proposal<Self>>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Covered>;

    /// New cover and premium of a policy after a change, computed with the rates of the sale. The inner `Err`
    /// says why the change is impossible. `changed` is the application with all earlier endorsements and this
    /// change.
    ///
    /// # Errors
    /// [`crate::Error::InsurerUnavailable`]; [`crate::Error::Internal`] if the catalogue version lacks an
    /// entry.
    fn repriced(
        rules: &SaleRules,
        catalogue: &Catalogue,
        policy: &Policy,
        changed: &Self::Application,
    ) -> impl Future<Output = Result<Result<CoverTerms, String>>> + Send;

    /// Every product rule that a policy issued on `on` would break. `by` is the actor whose decision issues
    /// the policy.
    ///
    /// # Errors
    /// [`crate::Error::InsurerUnavailable`]; [`crate::Error::Internal`] if the catalogue version lacks an
    /// entry.
    fn broken_rules(
        rules: &SaleRules,
        catalogue: &Catalogue,
        proposal: &Proposal<Self>,
        on: Date,
        by: Actor,
    ) -> impl Future<Output = Result<Faults>> + Send;

    /// Sales on which the rules of this sale depend (D140).
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the catalogue version lacks an entry.
    fn earlier_sales(
        _: &SaleRules,
        _: &Catalogue,
        _: &Proposal<Self>,
    ) -> impl Future<Output = Result<EarlierSales>> + Send {
        std::future::ready(Ok(EarlierSales::default()))
    }

    /// Proposer's name, first name first, if known.
    fn proposer_name(application: &Self::Application) -> Option<&PersonalLine>;

    /// All facts of a proposal for the person who decides it. Ages and cover are computed for a policy that
    /// is issued on the day `on`. `catalogue` is the proposal's own catalogue version.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the catalogue version lacks an entry.
    fn facts(proposal: &Proposal<Self>, catalogue: Option<&Catalogue>, on: Date) -> Result<Facts>;

    /// The proposal as it is submitted to the insurer that decides it. `None` for an imported proposal.
    fn submission(proposal: &Proposal<Self>) -> Option<Submission<'_>>;

    /// Status that shows the insurer's progress with a proposal in `status`. `asked_again` means that the
    /// insurer was asked before and has not decided. `None` if the status does not change.
    fn progress(status: Self::Status, asked_again: bool) -> Option<Self::Status>;
}

/// Runs an expression with the type of a line of business.
macro_rules! by_line {
    ($line:expr, $L:ident => $then:expr) => {
        match $line {
            domain::line::LineOfBusiness::CreditLife => {
                type $L = domain::credit_life::CreditLife;
                $then
            }
            domain::line::LineOfBusiness::Health => {
                type $L = domain::health_proposal::Health;
                $then
            }
        }
    };
}
pub(crate) use by_line;

/// Facts for the page behind a certificate's QR code. `None` for an imported policy.
///
/// # Errors
/// [`crate::Error::Internal`] if the catalogue version lacks an entry.
pub(crate) fn genuine<'c>(cover: &Cover, catalogue: &'c Catalogue) -> Result<Option<Genuine<'c>>> {
    match cover {
        Cover::CreditLife(cover) => credit_life::genuine(cover, catalogue).map(Some),
        Cover::Health(cover) => health::genuine(cover, catalogue),
    }
}

/// Facts that a policy's check page shows.
pub struct Genuine<'c> {
    pub product: &'c Product,
    /// Initials of the policyholder.
    pub initials: String,
    pub period: CoverPeriod,
}

/// Whether the service must ask an insurer for the decision about this proposal over HTTP (D29).
pub(crate) fn asks_insurer<L: SoldLine>(proposal: &Proposal<L>, product: &Product) -> bool {
    proposal.status == L::PENDING
        && product.decision == Decision::Insurer
        && product.insurer.connector != Connector::RateTable
}

/// Statuses through which a submitted proposal of a straight-through product is completed (D29). Empty for
/// other products.
pub(crate) fn straight_through<L: SoldLine>(status: L::Status, product: &Product) -> Vec<L::Status> {
    if status != L::PENDING || product.decision != Decision::StraightThrough {
        return Vec::new();
    }
    status.way_to(L::Status::ISSUED).unwrap_or_default()
}

/// Sandbox outcome that the proposer's first name selects (D97).
pub(crate) fn test_name<L: SoldLine>(proposal: &Proposal<L>) -> Option<TestName> {
    L::proposer_name(&proposal.application).and_then(|name| TestName::of(name.reveal()))
}
