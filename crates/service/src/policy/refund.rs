//! Refunds of cancellations and endorsements: who receives them, and their payment (D69).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of};
use domain::id::{InsurerId, PartnerId, PolicyId};
use domain::money::Rupees;
use domain::policy::Policy;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::refund::{OwedRefund, RefundPayment};
use rating::{PremiumTerms, Product};

use crate::error::{ConflictReason, Error, Result};
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::policies::{NotedPayment, PolicyAct, PolicyChanged, PolicyPosting};

/// How refunds of a product are paid.
pub(crate) struct RefundTerms {
    /// Insurer that pays the refunds.
    insurer: InsurerId,
    /// Deposit that paid the premium. Refunds go back to it if the borrower was not charged.
    deposit: Option<String>,
}

impl RefundTerms {
    pub(crate) fn of(product: &Product) -> Self {
        let deposit = match &product.premium {
            PremiumTerms::Deposit { deposit, borrower_pays: false } => Some(deposit.name.clone()),
            _ => None,
        };
        RefundTerms { insurer: product.insurer.id, deposit }
    }

    /// Part of an amount that goes back to the deposit: at most what the deposit paid for the policy, less
    /// what it already got back.
    pub(crate) fn to_deposit(&self, policy: &Policy, amount: Rupees) -> Rupees {
        let returned: Rupees = policy.refunds().map(|refund| refund.to_deposit).sum();
        let paid = policy.sold_terms().premium.total();
        self.deposit.as_ref().map_or(Rupees::ZERO, |_| amount.min(paid - returned))
    }

    /// Ledger postings of a refund. For a test partner, no money moves to a deposit.
    pub(crate) fn postings(
        &self,
        entry: Entry,
        refund: &OwedRefund,
        is_test: bool,
        at: Timestamp,
    ) -> Vec<PolicyPosting> {
        let insurer = self.insurer;
        let posting = |credit, amount, deposit| {
            let posting = Posting::of(entry, Account::ReturnedPremium, credit, amount)?;
            Some(PolicyPosting { insurer, posting, reference: None, deposit, at })
        };
        let of_deposit = if is_test { Rupees::ZERO } else { refund.to_deposit };
        let back = posting(Account::Deposit, of_deposit, self.deposit.clone());
        let owed = posting(Account::PolicyRefund, refund.of_insured(), None);
        owed.into_iter().chain(back).collect()
    }
}

/// Most attempts to record a payment while its policy changes.
const MOST_TRIES: usize = 3;

/// Records the payment of refunds.
pub struct RefundService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl RefundService {
    /// Records that the insurer paid a refund of a policy. If the policy has several refunds, the one that is
    /// due first is paid. A repeated call with the same payment reference changes nothing. `amount` is the
    /// paid amount including interest for late payment, if given. Returns the refund with its payment.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if nothing is owed, another payment was recorded, or the
    /// amount differs.
    pub async fn paid(
        &self,
        id: PolicyId,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<(Rupees, RefundPayment)> {
        let of = self.policies.owner(id).await?;
        for _ in 0..MOST_TRIES {
            let (policy, reference) = (self.policies.find(of, id).await?, reference.clone());
            let paid = self.paid_one(policy, reference, paid_on, amount).await?;
            if let Some(paid) = paid {
                return Ok(paid);
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed by another request. Try again.".into(),
        ))
    }

    /// Records the payment. `None` if the policy was changed at the same time, such as by the same command.
    async fn paid_one(
        &self,
        mut policy: Policy,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<Option<(Rupees, RefundPayment)>> {
        let conflict = |why: String| Err(Error::conflict(why));
        let now = self.shared.partner_clock.now(policy.partner);
        if let Some(noted) = noted_before(&policy, &reference, amount)? {
            return Ok(Some(noted));
        }
        let Some(refund) = policy.refund_owed() else {
            let earlier = policy.refunds().filter_map(|refund| refund.paid.as_ref()).last();
            return conflict(match (earlier, policy.refunds().next()) {
                (Some(earlier), _) => {
                    format!("The refund was already paid, with reference {}.", earlier.reference.as_str())
                }
                (None, Some(refund)) if refund.to_deposit > Rupees::ZERO => {
                    "The refund went back to the deposit that paid the premium.".into()
                }
                (None, Some(_)) => "No refund is owed for this policy.".into(),
                (None, None) => "No refund is owed: the policy is not cancelled.".into(),
            });
        };
        let (owed, interest) = (refund.owed(), refund.interest_on(paid_on));
        let asked = policy.refund_asked_at(refund).map_or(policy.issued_at, |asked| asked);
        if paid_on > day_of(now) || paid_on < day_of(asked) {
            return conflict("The day of payment must be from the day of the request until today.".into());
        }
        if amount.is_some_and(|amount| amount != owed + interest) {
            return conflict(format!(
                "The amount must be {}, including {} of interest up to the day of payment.",
                (owed + interest).grouped_with_paise(),
                interest.grouped_with_paise()
            ));
        }
        let payment = RefundPayment { reference, paid_on, interest };
        let before = policy.clone();
        if let Some(refund) = policy.refund_owed_mut() {
            refund.paid = Some(payment.clone());
        }
        let covered = self.policies.covered(&policy).await?;
        let lost = || Error::Internal("an imported policy has no refund".into());
        let product = self.policies.sold_as(&covered).ok_or_else(lost)?;
        let posting = PolicyPosting {
            insurer: product.insurer.id,
            posting: Posting {
                entry: Entry::RefundPaid,
                debit: Account::PolicyRefund,
                credit: Account::WithInsurer,
                amount: owed,
            },
            reference: Some(payment.reference.as_str().to_owned()),
            deposit: None,
            at: now,
        };
        let events = self.shared.events().of_policy(&before, &policy, &[], now);
        let paid_for = policy.id.to_string();
        let noted = NotedPayment { reference: &payment.reference, paid_for: &paid_for, part: None };
        let act = PolicyAct {
            postings: &[posting],
            payment: (!self.shared.partner_clock.is_test(policy.partner)).then_some(noted),
            events: &events,
            ..PolicyAct::default()
        };
        match self.shared.storage.change_policy(&policy, act).await? {
            PolicyChanged::Done => Ok(Some((owed, payment))),
            PolicyChanged::Paid(other) => Err(paid_before(&payment.reference, &other)),
            PolicyChanged::Lost | PolicyChanged::Twin => Ok(None),
        }
    }
}

/// Error for a payment reference that was already used for another claim or refund.
pub(crate) fn paid_before(reference: &PaymentReference, other: &str) -> Error {
    if other.parse::<PartnerId>().is_ok() {
        let why = format!("The payment {} was already reported for premiums.", reference.as_str());
        return Error::conflict_of(ConflictReason::MadeBefore, why);
    }
    Error::conflict_of(
        ConflictReason::MadeBefore,
        format!(
            "The payment {} already paid {}. A payment pays one claim or refund, unless each part is reported with the total of the transfer and the parts do not exceed it.",
            reference.as_str(),
            other.replace(' ', ", ")
        ),
    )
}

/// Refund whose payment is already recorded under this reference.
///
/// # Errors
/// [`Error::Conflict`] if the recorded payment has another amount.
fn noted_before(
    policy: &Policy,
    reference: &PaymentReference,
    amount: Option<Rupees>,
) -> Result<Option<(Rupees, RefundPayment)>> {
    let mut noted = policy.refunds().filter_map(|refund| Some((refund.of_insured(), refund.paid.clone()?)));
    let Some((refund, paid)) = noted.find(|(_, paid)| paid.reference == *reference) else {
        return Ok(None);
    };
    match amount {
        Some(amount) if amount != refund + paid.interest => {
            Err(paid_before(reference, &policy.id.to_string()))
        }
        _ => Ok(Some((refund, paid))),
    }
}
