//! Endorsements of policies (D89).

use domain::date::Date;
use domain::endorsement::{ChargePayment, EndorsementState};
use domain::id::PolicyId;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use serde_json::{Map, Value};
use service::Error;
use service::policy::PolicyShown;
use service::policy::endorsement::{EndorsementAsk, EndorsementQuote, EndorsementVerdict, can_be_endorsed};
use web::api::{EndorsementQuoteShown, EndorsementShown};
use web::reading::FieldLocation;
use web::sight::Sight;

use crate::act::answer::Done;
use crate::act::fields::{PolicyName, needed_reason};
use crate::act::input::{FieldValue, input};
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::{POLICY_READERS, PolicyOfPartner};
use crate::act::shown::{Api, answer, words};
use crate::act::{About, Act, Allowed, On, Result, Role, get, post};
use crate::policy::cancellation::PolicyVerdict;
use crate::policy::standing;

input! {
    /// Change a policy and issue a new certificate; --quote only prints the charge or refund
    struct EndorsePolicy {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// The change, with the fields of the body of endorsement-quote in the partners' API
        #[flag(long = "change", value = "FILE", is_text_of_file = true)]
        change: Change,
        /// Change nothing; print the charge or refund step by step
        #[flag(is_preview = true)]
        quote: bool,
    }
}

/// A change with the fields of the partners' API. `web::read_endorsement` reads them.
pub(crate) struct Change(Map<String, Value>);

impl FieldValue for Change {
    fn schema() -> Value {
        web::api::endorsement_schema()
    }

    fn wanted() -> String {
        "an object with the change".to_owned()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        let read = value.as_object().cloned();
        if read.is_none() {
            at.mismatch(value, &Self::wanted());
        }
        read.map(Change)
    }
}

impl Act for EndorsePolicy {
    const ABOUT: About =
        post("policy.endorse", "/policies/{id}/endorsements", &[Role::Underwriting, Role::Support]);

    type Answer = Done<EndorsementMade>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let shown = standing(on, record).await?;
        Ok(Allowed::if_so(can_be_endorsed(&shown.policy, shown.today).is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (change, note) =
            web::read_endorsement(&self.change.0, on.service.policies.today()).map_err(Error::Invalid)?;
        let ask = EndorsementAsk { change, by: Actor::Operator, note };
        let id = self.id.find(on).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(endorsement(&on.service.endorsements.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.endorsements.request(of, id, &ask, None).await?;
        let (quote, number, state) = (draft.quote.clone(), draft.number, draft.state);
        on.service.endorsements.keep(draft, None).await?.saved()?;
        let done = endorsement(&quote, Some((number, state)));
        Ok(done.saying(format!("endorsement {number} of {id} is {state}")))
    }
}

input! {
    /// List policies with an endorsement that waits for confirmation or payment
    struct ListEndorsements {
    } with {
        page: PageAsked,
    }
}

impl Act for ListEndorsements {
    const ABOUT: About = get("policy.endorsements", "/endorsements", POLICY_READERS);

    type Answer = Done<OpenEndorsements>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let waiting = on.service.policies.endorsements_open(self.page.reach()).await?;
        let Listed { records: waiting, page } = self.page.of(waiting, |one| one.policy.id.to_string())?;
        Ok(Done::of(OpenEndorsements {
            policies: waiting.iter().map(|shown| OpenEndorsement::of(on, shown)).collect(),
        })
        .listing(page, waiting.len()))
    }
}

input! {
    /// Confirm or refuse the endorsement of a policy that waits for a decision
    struct DecideEndorsement {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Whether to confirm or refuse the endorsement
        verdict: PolicyVerdict,
        /// Number of the endorsement, as `policy endorsements` shows it; the command fails if another endorsement
        /// waits now
        number: Option<u16>,
        /// Reason of the refusal; required for a refusal
        reason: Option<PersonalLine>,
        /// Reference of the payment of the charge, such as the bank's UTR
        #[flag(value = "REFERENCE")]
        payment: Option<PaymentReference>,
        /// Day on which the insurer received the payment, YYYY-MM-DD [default: today]
        #[flag(requires = &["payment"])]
        paid_on: Option<Date>,
    }
}

impl Act for DecideEndorsement {
    const ABOUT: About =
        post("policy.decide_endorsement", "/policies/{id}/endorsement-decision", &[Role::Underwriting]);

    type Answer = Done<EndorsementDecided>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(standing(on, record).await?.policy.open_endorsement().is_some()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let verdict = match self.verdict {
            PolicyVerdict::Refuse => EndorsementVerdict::Refuse(needed_reason(self.reason, true)?),
            PolicyVerdict::Confirm => {
                let received_on = self.paid_on.unwrap_or_else(|| on.service.policies.today());
                let paid = self.payment.map(|reference| ChargePayment { reference, received_on });
                EndorsementVerdict::Confirm(paid)
            }
        };
        let (number, state) =
            on.service.endorsements.decide(id, self.number, Actor::Operator, verdict).await?;
        let note = format!("endorsement {number} of {id} is {state}");
        Ok(Done::of(EndorsementDecided { policy_id: id, number, status: state }).saying(note))
    }
}

/// Answer with the charge or refund of an endorsement. `made`: the number and status of the endorsement, or
/// `None` for a quote only.
fn endorsement(quote: &EndorsementQuote, made: Option<(u16, EndorsementState)>) -> Done<EndorsementMade> {
    let (number, status) = made.unzip();
    Done::of(EndorsementMade { number, status, quote: Api(EndorsementQuoteShown::of(quote)) })
}

answer! {
    /// An endorsement, or the quote of one
    struct EndorsementMade {
        /// Number of the endorsement; null: nothing was changed
        number: Option<u16>,
        /// Status of the endorsement
        status: Option<EndorsementState>,
    } with {
        quote: Api<EndorsementQuoteShown>,
    }
}

answer! {
    /// A decided endorsement
    struct EndorsementDecided {
        /// Id of the policy
        policy_id: PolicyId,
        /// Number of the endorsement
        number: u16,
        /// Status of the endorsement
        status: EndorsementState,
    }
}

answer! {
    /// Policies with an endorsement that waits
    struct OpenEndorsements {
        /// Policies
        #[shown(columns = ["policy_id", "insured", "partner_name", "insurer", "endorsement.number", "endorsement.kind", "endorsement.asked_at", "endorsement.asked_by", "to_be_paid"])]
        policies: Vec<OpenEndorsement>,
    }
}

answer! {
    /// A policy with its endorsement that waits
    struct OpenEndorsement {
        /// The endorsement
        endorsement: Option<Api<EndorsementShown>>,
        /// Charge that must be paid first
        to_be_paid: Option<Rupees>,
    } with {
        policy: PolicyOfPartner,
    }
}

impl OpenEndorsement {
    fn of(on: &On, shown: &PolicyShown) -> Self {
        let open = shown.policy.open_endorsement();
        let charge = open.map(|open| open.charge.total());
        OpenEndorsement {
            endorsement: open.map(|open| Api(EndorsementShown::of(open, &Sight::Masked))),
            to_be_paid: charge.filter(|charge| *charge > Rupees::ZERO),
            policy: PolicyOfPartner::of(on, shown),
        }
    }
}

words!(EndorsementState);
