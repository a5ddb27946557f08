//! Refunds of cancelled and of endorsed policies, which insurers pay to the insured (D69).

use domain::date::Date;
use domain::id::PolicyId;
use domain::money::Rupees;
use domain::refund::OwedRefund;
use service::policy::PolicyShown;

use crate::act::answer::Done;
use crate::act::approval_shown::FACTS;
use crate::act::approving::IN_FULL;
use crate::act::fields::{PaymentMade, PolicyName};
use crate::act::input::input;
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::PolicyOfPartner;
use crate::act::shown::answer;
use crate::act::{About, Act, Allowed, Needed, On, Result, Role, get, post};
use crate::policy::standing;

input! {
    /// List refunds that insurers owe for cancelled and endorsed policies, earliest due date first
    struct ListRefunds {
    } with {
        page: PageAsked,
    }
}

impl Act for ListRefunds {
    const ABOUT: About = get("refund.list", "/refunds", &[Role::Read, Role::Support, Role::Accounts]);

    type Answer = Done<Refunds>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let refunds = on.service.policies.refunds_owed(self.page.reach()).await?;
        let Listed { records, page } = self.page.of(refunds, |one| one.policy.id.to_string())?;
        let refunds = records.iter().map(|shown| RefundOwed::of(on, shown)).collect();
        Ok(Done::of(Refunds { refunds }).listing(page, records.len()))
    }
}

input! {
    /// Record that the insurer paid a policy's refund to the insured; if the policy has several refunds, the
    /// refund that is due first
    struct PayRefund {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
    } with {
        payment: PaymentMade,
    }
}

impl Act for PayRefund {
    const ABOUT: About =
        post("refund.paid", "/policies/{id}/refund-payment", &[Role::Accounts]).irreversible();

    type Answer = Done<RefundMade>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let id = self.id.find(on).await?;
        let policies = &on.service.policies;
        let shown = policies.view(policies.owner(id).await?, id).await?.shown;
        let owed = owed(&shown);
        let needed = on.money(owed.map(|(refund, ..)| refund.owed()), format!("refund of {id}")).await?;
        Ok(needed.map(|needed| {
            let needed = needed.of(id, shown.policy.version).fact("insurer", &shown.covered.insurer);
            let reason = owed.map_or("", |(_, reason, _)| reason);
            let members = shown.covered.members.iter();
            members.fold(needed.fact("refund_for", reason), |needed, member| {
                needed.personal("insured", Some(IN_FULL.name(FACTS, &member.name)))
            })
        }))
    }

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(standing(on, record).await?.policy.refund_owed().is_some()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let (reference, paid_on, amount) = self.payment.made(on.service.policies.today());
        let (refund, paid) = on.service.refunds.paid(id, reference, paid_on, amount).await?;
        let note = format!(
            "{id}: {} was refunded on {}, with interest of {}",
            refund.grouped_with_paise(),
            paid.paid_on,
            paid.interest.grouped_with_paise()
        );
        let refunded = RefundMade {
            policy_id: id,
            refund,
            interest: paid.interest,
            reference: paid.reference.as_str().to_owned(),
            paid_on: paid.paid_on,
        };
        Ok(Done::of(refunded).saying(note))
    }
}

answer! {
    /// Refunds that insurers owe
    struct Refunds {
        /// Refunds, earliest due date first
        #[shown(columns = ["policy_id", "insured", "partner_name", "insurer", "refund_for", "refund", "refund_due_on", "late", "interest_today"])]
        refunds: Vec<RefundOwed>,
    }
}

answer! {
    /// A policy with the refund that its insurer owes
    struct RefundOwed {
        /// Amount of the refund
        refund: Option<Rupees>,
        /// Reason of the refund
        #[shown(label = "reason")]
        refund_for: Option<&'static str>,
        /// Day by which the insurer must pay it
        #[shown(label = "due on")]
        refund_due_on: Option<Date>,
        /// Interest that is owed today
        interest_today: Option<Rupees>,
        /// Whether that day is over
        late: Option<bool>,
    } with {
        policy: PolicyOfPartner,
    }
}

impl RefundOwed {
    fn of(on: &On, shown: &PolicyShown) -> Self {
        let owed = owed(shown);
        RefundOwed {
            refund: owed.map(|(refund, ..)| refund.owed()),
            refund_for: owed.map(|(_, reason, _)| reason),
            refund_due_on: owed.map(|(refund, ..)| refund.due_on),
            interest_today: owed.map(|(.., interest)| interest),
            late: owed.map(|(refund, ..)| refund.is_late(shown.today)),
            policy: PolicyOfPartner::of(on, shown),
        }
    }
}

answer! {
    /// A refund that was paid
    struct RefundMade {
        /// Id of the policy
        policy_id: PolicyId,
        /// Amount of the refund
        refund: Rupees,
        /// Interest for late payment
        interest: Rupees,
        /// Reference of the payment
        reference: String,
        /// Day of the payment
        paid_on: Date,
    }
}

/// The policy's refund that is due first, its reason, and the interest owed today.
fn owed(shown: &PolicyShown) -> Option<(&OwedRefund, &'static str, Rupees)> {
    let policy = &shown.policy;
    let refund = policy.refund_owed()?;
    let cancelled = policy.cancellation.as_ref().filter(|one| one.confirmed_refund() == Some(refund));
    let endorsed = policy.made_endorsements().find(|made| made.refund.as_ref() == Some(refund));
    let endorsed = endorsed.map(|made| made.change.kind().word());
    let reason = cancelled.map(|cancellation| cancellation.reason.word()).or(endorsed)?;
    Some((refund, reason, refund.interest_on(shown.today)))
}
