//! Refunds of cancellations and of endorsements: to whom they go, and their payment to the insured (D69).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of};
use domain::id::{InsurerId, PolicyId};
use domain::line::Line;
use domain::money::Rupees;
use domain::policy::Policy;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::refund::{OwedRefund, RefundPayment};
use rating::{PremiumTerms, Product};

use crate::error::{ConflictReason, Error, Result};
use crate::line::SoldLine;
use crate::on_any_policy;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::policies::{NotedPayment, PolicyAct, PolicyChanged, PolicyPosting};

/// What a product says of refunds.
pub(crate) struct RefundTerms {
    /// Who pays them.
    insurer: InsurerId,
    /// The deposit that paid the premium, if refunds go back to it: the borrower was not charged.
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

    /// What of an amount goes back to the deposit: at most what it paid for the policy and did not get back before.
    pub(crate) fn to_deposit<L: Line>(&self, policy: &Policy<L>, amount: Rupees) -> Rupees {
        let returned: Rupees = policy.refunds().map(|refund| refund.to_deposit).sum();
        let paid = policy.sold_terms().premium.total();
        self.deposit.as_ref().map_or(Rupees::ZERO, |_| amount.min(paid - returned))
    }

    /// What the ledger says of a refund. No money of a test partner lies in a deposit.
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

/// Tries of a payment whose policy is changed at the same time.
const MOST_TRIES: usize = 3;

/// Notes the payment of refunds.
pub struct RefundService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl RefundService {
    /// Notes that the insurer paid a refund of a policy: of several the one that is due first. The same reference again changes
    /// nothing. `amount` is what was paid with the interest for paying late, where somebody says it. Gives the refund and its
    /// payment as it is noted.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Conflict`] where nothing is owed, another payment was noted, or the amount is another.
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
            let paid =
                on_any_policy!(policy, policy => self.paid_one(*policy, reference, paid_on, amount).await?);
            if let Some(paid) = paid {
                return Ok(paid);
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed just now. Please try again.".into(),
        ))
    }

    /// `None` if the policy was changed at the same time, such as by the same command once more.
    async fn paid_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
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
                    format!("The refund was paid before, by {}.", earlier.reference.as_str())
                }
                (None, Some(refund)) if refund.to_deposit > Rupees::ZERO => {
                    "The refund went back to the deposit that paid the premium.".into()
                }
                (None, Some(_)) => "Nothing comes back of this policy.".into(),
                (None, None) => "The policy is not cancelled, so that no refund is owed.".into(),
            });
        };
        let (owed, interest) = (refund.owed(), refund.interest_on(paid_on));
        let asked = policy.refund_asked_at(refund).map_or(policy.issued_at, |asked| asked);
        if paid_on > day_of(now) || paid_on < day_of(asked) {
            return conflict("A refund is paid on a day from the request until today.".into());
        }
        if amount.is_some_and(|amount| amount != owed + interest) {
            return conflict(format!(
                "{} is owed on that day, {} of it interest, and another amount was named.",
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
        let noted = NotedPayment { reference: &payment.reference, paid_for: &paid_for };
        let act = PolicyAct {
            postings: &[posting],
            payment: (!self.shared.partner_clock.is_test(policy.partner)).then_some(noted),
            events: &events,
            ..PolicyAct::default()
        };
        match L::storage(self.shared.storage.as_ref()).change_policy(&policy, act).await? {
            PolicyChanged::Done => Ok(Some((owed, payment))),
            PolicyChanged::Paid(other) => Err(paid_before(&payment.reference, &other)),
            PolicyChanged::Lost | PolicyChanged::Twin => Ok(None),
        }
    }
}

/// A payment's reference that paid something else.
pub(crate) fn paid_before(reference: &PaymentReference, other: &str) -> Error {
    Error::conflict_of(
        ConflictReason::MadeBefore,
        format!(
            "{} paid {other} before. One payment pays one claim or refund: name another reference.",
            reference.as_str()
        ),
    )
}

/// A refund of a policy that is noted under a reference already: the same again changes nothing.
///
/// # Errors
/// [`Error::Conflict`] if the amount is not the one that it paid.
fn noted_before<L: Line>(
    policy: &Policy<L>,
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
