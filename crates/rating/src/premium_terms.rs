//! How a product's premium reaches the insurer, according to the catalogue (D63).

use domain::money::Rupees;
use domain::premium::PremiumRoute;

/// How a product's premium reaches the insurer. Cover never starts before the premium is received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PremiumTerms {
    /// The premium of each policy is drawn from an advance deposit with the insurer.
    Deposit {
        deposit: DepositTerms,
        /// Whether the partner charges the premium to the borrower. If so, refunds go to the borrower (D69).
        borrower_pays: bool,
    },
    /// The customer pays the insurer through a link to the insurer's payment page.
    Link {
        /// URL of the insurer's payment page. `{proposal_id}` is replaced by the proposal's id. `None` if the
        /// insurer sends the link to the customer.
        address: Option<String>,
    },
    /// The customer pays on a page of this service. The operator remits the premium to the insurer.
    Here,
    /// The partner collects the premium, pays the insurer, and reports the payment.
    Partner,
}

/// Advance deposit with an insurer. Products of an insurer that name the same deposit use the same money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositTerms {
    /// Name of the deposit. Default: the number of the master policy.
    pub name: String,
    /// Balance of the deposit when this service first used it.
    pub opening_balance: Rupees,
    /// Whether the insurer guarantees cover even if the deposit's balance is too low.
    pub guaranteed: bool,
    /// Amount in rupees. A balance below this amount causes a warning.
    pub warn_below: Rupees,
}

impl PremiumTerms {
    pub const fn route(&self) -> PremiumRoute {
        match self {
            PremiumTerms::Deposit { .. } => PremiumRoute::Deposit,
            PremiumTerms::Link { .. } => PremiumRoute::Link,
            PremiumTerms::Here => PremiumRoute::Here,
            PremiumTerms::Partner => PremiumRoute::Partner,
        }
    }
}
