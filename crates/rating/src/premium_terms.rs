//! How a product's premium reaches its insurer, as the catalogue says it (D63).

use domain::money::Rupees;
use domain::premium::PremiumRoute;

/// How a product's premium reaches its insurer. Cover never starts before it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PremiumTerms {
    /// Each policy draws on an advance deposit with the insurer.
    Deposit {
        deposit: DepositTerms,
        /// Whether the partner charges the premium to the borrower, so that refunds are the borrower's (D69).
        borrower_pays: bool,
    },
    /// The customer pays the insurer by the insurer's own link.
    Link {
        /// The address of the insurer's payment page. `{proposal_id}` in it stands for the proposal's id. `None` where
        /// the insurer sends the link to the customer itself.
        address: Option<String>,
    },
    /// The customer pays on a page of this service, and the operator remits it to the insurer.
    Here,
    /// The partner collects it, pays the insurer, and reports it.
    Partner,
}

/// An advance deposit with an insurer. Products of an insurer that name the same deposit draw on the same money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositTerms {
    /// Its name; the number of the master policy where the catalogue gives no other.
    pub name: String,
    /// What lay there when this service first drew on it.
    pub opening_balance: Rupees,
    /// Whether the insurer guarantees cover beyond the balance.
    pub guaranteed: bool,
    /// A balance below this is a warning.
    pub warn_below: Rupees,
}

impl PremiumTerms {
    /// Which way that is, in one word.
    pub const fn route(&self) -> PremiumRoute {
        match self {
            PremiumTerms::Deposit { .. } => PremiumRoute::Deposit,
            PremiumTerms::Link { .. } => PremiumRoute::Link,
            PremiumTerms::Here => PremiumRoute::Here,
            PremiumTerms::Partner => PremiumRoute::Partner,
        }
    }
}
