//! Notice to an insurer about one of its policies: `POST /v1/policy-notices`.

use domain::cancellation::Cancellation;
use domain::claim::Claim;
use domain::date::day_of;
use domain::endorsement::Endorsement;
use domain::money::Premium;
use domain::person::PersonalLine;
use domain::refund::OwedRefund;
use serde::{Deserialize, Serialize};
use service::insurer::{NoticeEvent, PolicyNotice, Submission};
use service::line::Covered;

use super::answer::{self, WrongAnswer};
use super::health_proposal::HealthProposalSubmitted;
use super::proposal::ProposalSubmitted;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Notice {
    pub(crate) notice_id: String,
    event: Event,
    at: String,
    policy: Policy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalSubmitted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    health_proposal: Option<HealthProposalSubmitted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endorsement: Option<Endorsed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Claimed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancellation: Option<Cancelled>,
}

/// What happened to the policy.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Event {
    New,
    Endorse,
    Claim,
    ClaimWithdrawn,
    Cancel,
}

/// Present data of the policy.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Policy {
    policy_id: String,
    certificate_number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    master_policy_number: Option<String>,
    uin: String,
    variant_id: String,
    status: String,
    issued_on: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cover_starts: Option<String>,
    cover_ends: String,
    sum_insured: String,
    premium: Amounts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loan_reference: Option<String>,
}

/// A premium amount: base, tax and total.
#[derive(Clone, Serialize, Deserialize)]
struct Amounts {
    base_premium: String,
    gst: String,
    total_premium: String,
}

impl Amounts {
    fn of(premium: Premium) -> Self {
        Amounts {
            base_premium: premium.base().to_string(),
            gst: premium.gst().to_string(),
            total_premium: premium.total().to_string(),
        }
    }
}

/// Endorsement of the policy. The proposal in the same notice has the changed data.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Endorsed {
    number: u16,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    member: Option<u16>,
    effective_on: String,
    charge: Amounts,
    refund: Amounts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_to_deposit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_due_on: Option<String>,
}

/// A claim, as the customer first reported it.
#[derive(Clone, Serialize, Deserialize)]
struct Claimed {
    claim_id: String,
    kind: String,
    event_on: String,
    cause: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    member: u16,
    member_name: String,
    claimant: Claimant,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<Account>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claimed_amount: Option<String>,
    settle_by: String,
}

/// Person who makes the claim.
#[derive(Clone, Serialize, Deserialize)]
struct Claimant {
    name: String,
    relation: String,
    mobile: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
}

/// Bank account to which the claim is paid.
#[derive(Clone, Serialize, Deserialize)]
struct Account {
    holder: String,
    number: String,
    ifsc: String,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Cancelled {
    reason: String,
    effective_on: String,
    refund: Amounts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_to_deposit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_bounced: Option<String>,
    refund_due_on: String,
}

impl Notice {
    /// Builds the notice that is sent to the insurer.
    pub(crate) fn of(notice: &PolicyNotice<'_>) -> Self {
        let event = &notice.event;
        // Claims and cancellations do not change the proposal, so it is not sent again.
        let tells_all = matches!(event, NoticeEvent::Issued | NoticeEvent::Endorsed(_));
        let submission = notice.submission.filter(|_| tells_all);
        Notice {
            notice_id: notice.id.clone(),
            event: match event {
                NoticeEvent::Issued => Event::New,
                NoticeEvent::Endorsed(_) => Event::Endorse,
                NoticeEvent::Claimed(_) => Event::Claim,
                NoticeEvent::ClaimWithdrawn(_) => Event::ClaimWithdrawn,
                NoticeEvent::Cancelled(_) => Event::Cancel,
            },
            at: notice.at.to_string(),
            policy: Policy::of(notice.policy, notice.covered),
            proposal: match submission {
                Some(Submission::CreditLife(proposal)) => Some(ProposalSubmitted::of(proposal)),
                _ => None,
            },
            health_proposal: match submission {
                Some(Submission::Health { proposal, made }) => {
                    Some(HealthProposalSubmitted::of(proposal, made))
                }
                _ => None,
            },
            endorsement: if let NoticeEvent::Endorsed(made) = event {
                Some(Endorsed::of(made))
            } else {
                None
            },
            claim: match event {
                NoticeEvent::Claimed(claim) | NoticeEvent::ClaimWithdrawn(claim) => Some(Claimed::of(claim)),
                _ => None,
            },
            cancellation: match event {
                NoticeEvent::Cancelled(cancellation) => Some(Cancelled::of(cancellation)),
                _ => None,
            },
        }
    }
}

impl Policy {
    pub(super) fn of(policy: &domain::policy::Policy, covered: &Covered) -> Self {
        let product = covered.product.as_deref();
        let master = product.and_then(|product| product.master_policy.as_ref());
        Policy {
            policy_id: policy.id.to_string(),
            certificate_number: policy.number.to_string(),
            policy_number: policy.insurer_number.as_ref().map(ToString::to_string),
            master_policy_number: master.map(|master| master.number.clone()),
            uin: product.map(|product| product.uin.clone()).unwrap_or_default(),
            variant_id: covered.variant_id.clone(),
            status: policy.state.word().to_owned(),
            issued_on: day_of(policy.issued_at).to_string(),
            cover_starts: covered.starts.map(|day| day.to_string()),
            cover_ends: policy.last_day().to_string(),
            sum_insured: policy.sum_insured.to_string(),
            premium: Amounts::of(policy.premium),
            loan_reference: policy.reference.as_ref().map(|reference| reference.reveal().to_owned()),
        }
    }
}

impl Endorsed {
    pub(super) fn of(made: &Endorsement) -> Self {
        let refund = made.refund.as_ref();
        Endorsed {
            number: made.number,
            kind: made.change.kind().word().to_owned(),
            member: made.change.member(),
            effective_on: day_of(made.asked_at).to_string(),
            charge: Amounts::of(made.charge),
            refund: Amounts::of(refund.map(|refund| refund.amount).unwrap_or_default()),
            refund_to_deposit: refund.and_then(OwedRefund::back_to_deposit).map(|back| back.to_string()),
            refund_due_on: refund.map(|refund| refund.due_on.to_string()),
        }
    }
}

impl Claimed {
    fn of(claim: &Claim) -> Self {
        let (notice, text) = (&claim.notice, |line: &PersonalLine| line.reveal().to_owned());
        Claimed {
            claim_id: claim.id.to_string(),
            kind: notice.kind.word().to_owned(),
            event_on: notice.event_on.to_string(),
            cause: text(&notice.cause),
            place: notice.place.as_ref().map(text),
            member: notice.member,
            member_name: text(&claim.member_name),
            claimant: Claimant {
                name: text(&notice.claimant.name),
                relation: text(&notice.claimant.relation),
                mobile: notice.claimant.phone.reveal().to_owned(),
                email: notice.claimant.email.as_ref().map(|email| email.reveal().to_owned()),
            },
            account: notice.account.as_ref().map(|account| Account {
                holder: text(&account.holder),
                number: account.number.reveal().to_owned(),
                ifsc: account.ifsc.reveal().to_owned(),
            }),
            claimed_amount: notice.claimed.map(|amount| amount.to_string()),
            settle_by: claim.settle_by().to_string(),
        }
    }
}

impl Cancelled {
    pub(super) fn of(cancellation: &Cancellation) -> Self {
        Cancelled {
            reason: cancellation.reason.word().to_owned(),
            effective_on: day_of(cancellation.asked_at).to_string(),
            refund: Amounts::of(cancellation.refund.amount),
            refund_to_deposit: cancellation.refund.back_to_deposit().map(|back| back.to_string()),
            refund_bounced: cancellation.refund.bounced.map(|bounced| bounced.to_string()),
            refund_due_on: cancellation.refund.due_on.to_string(),
        }
    }
}

/// Answer of the insurer to a notice.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Acknowledgement {
    notice_id: String,
    acknowledged: bool,
}

impl Acknowledgement {
    /// Builds the acknowledgement of a notice, as an insurer's server does.
    pub(crate) fn of(notice_id: &str) -> Self {
        Acknowledgement { notice_id: notice_id.to_owned(), acknowledged: true }
    }

    /// Checks that an answer acknowledges this notice.
    ///
    /// # Errors
    /// [`WrongAnswer`] if the answer does not acknowledge the notice with the id `of`.
    pub(crate) fn read(body: &[u8], of: &str) -> Result<(), WrongAnswer> {
        let answered: Acknowledgement = answer::read(body)?;
        let wrong = |what: &str| Err(WrongAnswer::Content(format!("the acknowledgement is wrong: {what}")));
        match (answered.notice_id == of, answered.acknowledged) {
            (false, _) => wrong("the answer is for another notice"),
            (true, false) => wrong("the answer does not acknowledge the notice"),
            (true, true) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_is_valid_only_for_its_own_notice() {
        let written = serde_json::to_vec(&Acknowledgement::of("NEW-1")).expect("text");
        assert!(Acknowledgement::read(&written, "NEW-1").is_ok());
        assert!(Acknowledgement::read(&written, "NEW-2").is_err());
        let refused = br#"{"notice_id": "NEW-1", "acknowledged": false}"#;
        assert!(Acknowledgement::read(refused, "NEW-1").is_err());
    }
}
