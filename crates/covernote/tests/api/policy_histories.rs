//! Random histories of a policy after its sale. A model of its states, endorsements, claims and money
//! predicts the result of each act (D66, D68, D69, D81, D82, D89). The month's statements equal the ledger
//! (D85, D86).

use std::sync::atomic::{AtomicU32, Ordering};

use domain::cancellation::CancellationReason;
use domain::claim::{Claim, ClaimState};
use domain::date::{BirthDate, Date};
use domain::endorsement::{ChargePayment, EndorsementChange, NewContact};
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::money::Rupees;
use domain::person::{Email, PersonalLine};
use domain::policy_state::PolicyState;
use domain::premium::{Account, PaymentReference};
use domain::proposal::Actor;
use domain::statement::StatementKind;
use domain::text::FromText;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use service::Error;
use service::claim::settlement::ClaimVerdict;
use service::policy::cancellation::CancellationAsk;
use service::policy::endorsement::{EndorsementAsk, EndorsementVerdict};
use tokio::runtime::Runtime;

use crate::support::claims::death;
use crate::support::statements::of_kind;
use crate::support::{App, Partner, Setup};

/// Number of kinds of claims in each line of the sample: death and disability, or hospitalisation and another
/// event.
const KINDS: usize = 2;

/// Index of the death among the kinds.
const DEATH: usize = 0;

/// Sum insured of every policy at its sale.
const COVER: Rupees = Rupees::whole(500_000);

/// Amount that the act with this number approves: most of the cover, or little of it.
const fn approves(nth: usize) -> Rupees {
    Rupees::whole(if nth.is_multiple_of(2) { 400_000 } else { 1000 })
}

/// An act on a policy.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// The partner requests a cancellation, or the operator or the insurer cancels.
    Cancel(Actor, CancellationReason),
    /// The operator confirms or refuses the requested cancellation.
    Decide(bool),
    /// The operator records a payment of a refund, with one of three references.
    Pay(u8),
    /// The partner or the operator requests a change.
    Endorse(Actor, Change),
    /// The operator confirms or refuses the open endorsement, with or without a payment.
    DecideEndorsement { confirms: bool, pays: bool },
    /// The partner reports a claim of a kind, for today.
    Claim(usize),
    /// The operator records the insurer's decision about the claim of a kind.
    Settle(usize, ClaimState),
    /// The operator records the payment of the claim of a kind, with one of three references.
    PayClaim(usize, u8),
    /// The operator records a payment of one rupee for the claim of a kind, with one of three references.
    PayPart(usize, u8),
    /// The partner or the operator withdraws the claim of a kind.
    Withdraw(usize),
}

/// Kind of change of a policy.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// A new e-mail address.
    Contact,
    /// Another year of birth of the member.
    Born(i16),
    /// A cover reduction by ten thousand rupees.
    LessCover,
}

/// Reference that stands for the bank, which took a payment back.
const BOUNCED: u8 = u8::MAX;

/// Year of birth of each policy's member at the sale.
const BORN: i16 = 1990;

fn act() -> impl Strategy<Value = Act> {
    let asks = prop_oneof![Just(Actor::Partner), Just(Actor::Operator)];
    let born = proptest::sample::select(&[1979, BORN, 1992][..]);
    let change = prop_oneof![Just(Change::Contact), born.prop_map(Change::Born), Just(Change::LessCover)];
    let who = prop_oneof![Just(Actor::Partner), Just(Actor::Operator), Just(Actor::Insurer)];
    let reason = proptest::sample::select(CancellationReason::ALL);
    prop_oneof![
        3 => (who, reason).prop_map(|(who, reason)| Act::Cancel(who, reason)),
        2 => any::<bool>().prop_map(Act::Decide),
        2 => (0_u8..3).prop_map(Act::Pay),
        4 => (asks, change).prop_map(|(who, change)| Act::Endorse(who, change)),
        2 => any::<(bool, bool)>().prop_map(|(confirms, pays)| Act::DecideEndorsement { confirms, pays }),
        2 => (0..KINDS).prop_map(Act::Claim),
        4 => (0..KINDS, proptest::sample::select(ClaimState::ALL))
            .prop_map(|(kind, state)| Act::Settle(kind, state)),
        2 => (0..KINDS, 0_u8..3).prop_map(|(kind, reference)| Act::PayClaim(kind, reference)),
        1 => (0..KINDS, 0_u8..3).prop_map(|(kind, reference)| Act::PayPart(kind, reference)),
        1 => (0..KINDS).prop_map(Act::Withdraw),
    ]
}

/// The states and the sample's rules, implemented a second time.
struct Model {
    state: PolicyState,
    /// Whether the operator or the insurer decides on cancellations.
    waits: bool,
    /// Whether an endorsement with `confirmed = true` needs a decision by the operator or the insurer.
    confirmed: bool,
    /// Everything that was paid for the policy.
    premium: Rupees,
    /// Premium of the sale, if a payment of the partner paid it. `None`: a deposit paid it.
    bounces: Option<Rupees>,
    /// Refund of the cancellation, once it is confirmed.
    refund: Rupees,
    /// Part of the refund that the bank took back.
    bounced: Rupees,
    /// Whether the cancellation is for fraud.
    is_fraud: bool,
    /// Refunds in the order of their payment, each with the reference of its payment, if it is paid.
    refunds: Vec<(Rupees, Option<u8>)>,
    /// How many of the refunds are of endorsements.
    of_endorsements: usize,
    born: i16,
    open: Option<Open>,
    /// Number of endorsements made.
    made: usize,
    /// The newest claim of each kind.
    claims: [Option<Made>; KINDS],
}

/// A reported claim.
#[derive(Debug, Clone, Copy)]
struct Made {
    state: ClaimState,
    /// Reference of its payment, if it is paid.
    paid: Option<u8>,
    /// Whether each of the three references paid a part of it.
    parts: [bool; 3],
    approved: Rupees,
    /// Whether it was reported after a request for cancellation.
    is_since: bool,
}

impl Made {
    fn was_paid_with(&self, reference: u8) -> bool {
        let is_part = self.parts.get(usize::from(reference)).copied().unwrap_or_default();
        self.paid == Some(reference) || is_part
    }
}

/// An open endorsement.
#[derive(Clone, Copy)]
struct Open {
    change: Change,
    amounts: Amounts,
}

/// The quoted amounts: the charge to pay, and the refund.
#[derive(Debug, Clone, Copy, Default)]
struct Amounts {
    charge: Rupees,
    refund: Rupees,
}

impl Model {
    /// Applies an endorsement to the policy.
    fn makes(&mut self, Open { change, amounts }: Open) {
        self.premium = self.premium + amounts.charge;
        if amounts.refund > Rupees::ZERO {
            self.refunds.insert(self.of_endorsements, (amounts.refund, None));
            self.of_endorsements += 1;
        }
        if let Change::Born(year) = change {
            self.born = year;
        }
        self.made += 1;
    }

    /// Claims that are neither rejected nor withdrawn.
    fn counting(&self) -> impl Iterator<Item = &Made> {
        self.claims.iter().flatten().filter(|claim| claim.state.counts())
    }

    fn is_claimed(&self) -> bool {
        self.counting().next().is_some()
    }

    /// Whether a cancellation refunds the whole premium.
    fn is_full(&self, refund: Rupees) -> bool {
        let before: Rupees = self.refunds[..self.of_endorsements].iter().map(|(amount, _)| *amount).sum();
        refund > Rupees::ZERO && refund == self.premium - before
    }

    fn cancels(&mut self) {
        self.state = PolicyState::Cancelled;
        self.open = None;
        if self.bounced > Rupees::ZERO {
            self.refunds.push((self.bounced, Some(BOUNCED)));
        }
        if self.refund > self.bounced {
            self.refunds.push((self.refund - self.bounced, None));
        }
    }

    /// Whether a change is accepted.
    fn takes_endorsement(&mut self, who: Actor, change: Change, amounts: Amounts) -> bool {
        let is_new = !matches!(change, Change::Born(year) if year == self.born);
        let has_rule = matches!(change, Change::Contact) || !self.is_claimed();
        let may = self.state == PolicyState::Issued && self.open.is_none() && is_new && has_rule;
        if may {
            let asks = self.confirmed && who == Actor::Partner && !matches!(change, Change::Contact);
            let open = Open { change, amounts };
            match asks || amounts.charge > Rupees::ZERO {
                true => self.open = Some(open),
                false => self.makes(open),
            }
        }
        may
    }

    /// Whether the decision on an endorsement is accepted.
    fn takes_verdict(&mut self, confirms: bool, pays: bool) -> bool {
        let Some(open) = self.open else { return false };
        let may_be_made = self.state == PolicyState::Issued
            && (matches!(open.change, Change::Contact) || !self.is_claimed())
            && pays == (open.amounts.charge > Rupees::ZERO);
        let may = !confirms || may_be_made;
        if may {
            self.open = None;
        }
        if may && confirms {
            self.makes(open);
        }
        may
    }

    /// Whether an act is accepted.
    fn takes(&mut self, act: Act, amounts: Amounts, nth: usize) -> bool {
        match act {
            Act::Cancel(who, reason) => {
                use CancellationReason::{Fraud, Misstatement, PaymentBounced};
                let is_claimed = self.is_claimed();
                // After a claim, only the insurer has a reason to cancel.
                let has_reason = match reason {
                    Fraud | Misstatement => who == Actor::Insurer,
                    PaymentBounced => who == Actor::Insurer && !is_claimed && self.bounces.is_some(),
                    _ => !is_claimed,
                };
                // A misstatement refunds the whole premium, so no claim can be paid, too. Fraud leaves nothing payable.
                let has_open = self.counting().any(|claim| claim.state.is_open());
                let has_paid = self.counting().any(|claim| claim.state == ClaimState::Paid);
                let is_blocked = match reason {
                    CancellationReason::Misstatement => has_open || has_paid,
                    CancellationReason::Fraud => has_open,
                    _ => false,
                };
                let may = self.state == PolicyState::Issued && has_reason && !is_blocked;
                if may {
                    for claim in self.claims.iter_mut().flatten() {
                        claim.is_since = false;
                    }
                    let asks = self.waits && who == Actor::Partner;
                    self.refund = amounts.refund;
                    self.is_fraud = reason == CancellationReason::Fraud;
                    let bounces = self.bounces.filter(|_| reason == PaymentBounced);
                    self.bounced = bounces.map_or(Rupees::ZERO, |sold| sold.min(self.refund));
                    match asks {
                        true => self.state = PolicyState::CancellationRequested,
                        false => self.cancels(),
                    }
                }
                may
            }
            Act::Decide(confirms) => {
                let is_claimed = self.counting().any(|claim| claim.is_since);
                let may = self.state == PolicyState::CancellationRequested && !(confirms && is_claimed);
                if may {
                    match confirms {
                        true => self.cancels(),
                        false => self.state = PolicyState::Issued,
                    }
                }
                may
            }
            Act::Pay(reference) => {
                if self.refunds.iter().any(|(_, paid)| *paid == Some(reference)) {
                    return true;
                }
                // One reference pays only one claim or refund (D116).
                if self.paid_a_claim(reference) {
                    return false;
                }
                let first = self.refunds.iter_mut().find(|(_, paid)| paid.is_none());
                first.map(|(_, paid)| *paid = Some(reference)).is_some()
            }
            Act::Endorse(who, change) => self.takes_endorsement(who, change, amounts),
            Act::DecideEndorsement { confirms, pays } => self.takes_verdict(confirms, pays),
            Act::Claim(_) | Act::Settle(..) | Act::PayClaim(..) | Act::PayPart(..) | Act::Withdraw(_) => {
                self.takes_on_claim(act, nth)
            }
        }
    }

    /// Whether a claim was paid with this reference.
    fn paid_a_claim(&self, reference: u8) -> bool {
        self.claims.iter().flatten().any(|claim| claim.was_paid_with(reference))
    }

    /// Whether anything was paid with this reference.
    fn has_paid(&self, reference: u8) -> bool {
        self.paid_a_claim(reference) || self.refunds.iter().any(|(_, paid)| *paid == Some(reference))
    }

    /// Whether an act on the claim of a kind is accepted.
    fn takes_on_claim(&mut self, act: Act, nth: usize) -> bool {
        use ClaimState::{
            Approved, Intimated, Paid, Rejected, Repudiated, UnderAssessment, UnderInvestigation, Withdrawn,
        };
        let (kind, to) = match act {
            Act::Claim(kind) => (kind, Intimated),
            Act::Settle(kind, state) => (kind, state),
            Act::PayClaim(kind, _) | Act::PayPart(kind, _) => (kind, Paid),
            Act::Withdraw(kind) => (kind, Withdrawn),
            Act::Cancel(..)
            | Act::Decide(_)
            | Act::Pay(_)
            | Act::Endorse(..)
            | Act::DecideEndorsement { .. } => unreachable!("no act on a claim"),
        };
        let claim = self.claims[kind];
        if let (Some(made), Act::PayClaim(_, reference) | Act::PayPart(_, reference)) = (claim, act)
            && (made.state == Paid || made.was_paid_with(reference))
        {
            return made.was_paid_with(reference);
        }
        if let (Some(made), Act::PayPart(_, reference)) = (claim, act) {
            let may = made.state == Approved && !self.has_paid(reference);
            if may && let Some(claim) = &mut self.claims[kind] {
                claim.parts[usize::from(reference)] = true;
            }
            return may;
        }
        let is_avoided = self.is_fraud || self.is_full(self.refund);
        let never_covered = self.state == PolicyState::Cancelled && is_avoided;
        // The approval of a death must say what becomes of refunds for the days after it, and here it never does.
        let is_unsaid = kind == DEATH && self.returned() > Rupees::ZERO;
        let spent: Rupees = self.counting().map(|claim| claim.approved).sum();
        let may = match (claim.map(|claim| claim.state), to) {
            (None | Some(Rejected | Withdrawn), Intimated) => matches!(act, Act::Claim(_)) && !never_covered,
            (Some(Intimated), UnderAssessment | Rejected) => true,
            (Some(UnderAssessment), UnderInvestigation) => true,
            (Some(UnderAssessment | UnderInvestigation), Approved) => {
                !never_covered && !is_unsaid && approves(nth) <= COVER - spent
            }
            (Some(UnderAssessment | UnderInvestigation), Rejected | Repudiated) => true,
            (Some(Approved), Paid) => matches!(act, Act::PayClaim(_, reference) if !self.has_paid(reference)),
            (Some(state), Withdrawn) => {
                let has_part = claim.is_some_and(|claim| claim.parts.contains(&true));
                matches!(act, Act::Withdraw(_)) && state.is_open() && !has_part
            }
            _ => false,
        };
        if may {
            let paid = if let Act::PayClaim(_, reference) = act { Some(reference) } else { None };
            let is_new = to == Intimated;
            let before = claim.filter(|_| !is_new);
            let approved = match to {
                Approved => approves(nth),
                _ => before.map_or(Rupees::ZERO, |before| before.approved),
            };
            let is_since = before.is_none_or(|before| before.is_since);
            let parts = before.map_or([false; 3], |before| before.parts);
            self.claims[kind] = Some(Made { state: to, paid, parts, approved, is_since });
            let covers = matches!(self.state, PolicyState::Issued | PolicyState::CancellationRequested);
            let paid = self.counting().filter(|claim| claim.state == Paid).map(|claim| claim.approved);
            let is_used_up = paid.sum::<Rupees>() == COVER;
            if (kind == DEATH || is_used_up) && to == Paid && covers {
                self.state = PolicyState::Terminated;
                self.open = None;
            }
        }
        may
    }

    /// Refunds that the insurer has not paid yet.
    fn owed(&self) -> Rupees {
        self.refunds.iter().filter(|(_, paid)| paid.is_none()).map(|(amount, _)| *amount).sum()
    }

    fn returned(&self) -> Rupees {
        self.refunds.iter().map(|(amount, _)| *amount).sum()
    }
}

/// The reported claims of a policy, by kind.
type Known = [Option<ClaimId>; KINDS];

fn is_refusal(fault: &Error) -> bool {
    matches!(
        fault,
        Error::Refused(_)
            | Error::Conflict(_)
            | Error::NotCancellable(_)
            | Error::NotEndorsable(_)
            | Error::Invalid(_)
    )
}

/// Requests a change. Returns whether it was accepted, and the quoted amounts. `nth`: number of acts before.
async fn endorsed(app: &App, id: PolicyId, by: Actor, change: Change, nth: usize) -> (bool, Amounts) {
    let endorsements = &app.service.endorsements;
    let change = match change {
        Change::Contact => {
            let email = Email::from_text(&format!("asha.{nth}@example.com")).ok();
            let contact = Box::new(NewContact { email, ..NewContact::default() });
            EndorsementChange::Contact { member: 1, contact }
        }
        Change::Born(year) => {
            let born = BirthDate::kept(Date::constant(year, 6, 15));
            EndorsementChange::DateOfBirth { member: 1, born }
        }
        Change::LessCover => {
            let shown = app.policy(&id.to_string()).await;
            let cover = shown["sum_insured"].as_str().expect("an amount").replace('.', "");
            let cover = Rupees::from_paise(cover.parse().expect("paise"));
            EndorsementChange::CoverReduction(cover - Rupees::whole(10_000))
        }
    };
    let ask = EndorsementAsk { change, by, note: None };
    match endorsements.request(app.partner().id, id, &ask, None).await {
        Ok(draft) => {
            let refund = draft.quote.refund.as_ref().map_or(Rupees::ZERO, |refund| refund.amount.total());
            let amounts = Amounts { charge: draft.quote.charge.total(), refund };
            assert!(endorsements.keep(draft, None).await.expect("kept").replayed().is_none());
            (true, amounts)
        }
        Err(fault) => {
            assert!(is_refusal(&fault), "{fault}");
            (false, Amounts::default())
        }
    }
}

/// Does an act. Returns whether it was accepted, and the quoted amounts.
async fn done(app: &App, id: PolicyId, known: &mut Known, act: Act, nth: usize) -> (bool, Amounts) {
    let cancellations = &app.service.cancellations;
    let of = app.partner().id;
    let none = Amounts::default();
    match act {
        Act::Endorse(by, change) => endorsed(app, id, by, change, nth).await,
        Act::DecideEndorsement { confirms, pays } => {
            let reference = PaymentReference::from_text(&format!("UTR-E{nth}")).expect("a reference");
            let payment = ChargePayment { reference, received_on: app.service.policies.today() };
            let verdict = match confirms {
                true => EndorsementVerdict::Confirm(pays.then_some(payment)),
                false => EndorsementVerdict::Refuse(None),
            };
            let decided = app.service.endorsements.decide(id, None, Actor::Operator, verdict).await;
            assert!(decided.as_ref().err().is_none_or(is_refusal), "{decided:?}");
            (decided.is_ok(), none)
        }
        Act::Cancel(by, reason) => {
            let ask = CancellationAsk { reason, received_on: None, by, note: None };
            let draft = match cancellations.request(of, id, &ask, None).await {
                Ok(draft) => draft,
                Err(fault) => {
                    assert!(is_refusal(&fault), "{fault}");
                    return (false, none);
                }
            };
            let refund = draft.quote.refund.refund.total();
            assert!(cancellations.keep(draft, None).await.expect("kept").replayed().is_none());
            (true, Amounts { refund, ..none })
        }
        Act::Decide(confirms) => {
            match cancellations.decide(id, None, Actor::Operator, confirms, None).await {
                Ok(_) => (true, none),
                Err(fault) => {
                    assert!(is_refusal(&fault), "{fault}");
                    (false, none)
                }
            }
        }
        Act::Pay(number) => {
            let reference = PaymentReference::from_text(&format!("UTR-{number}-{id}")).expect("a reference");
            let today = app.service.policies.today();
            match app.service.refunds.paid(id, reference, today, None).await {
                Ok(_) => (true, none),
                Err(fault) => {
                    assert!(is_refusal(&fault), "{fault}");
                    (false, none)
                }
            }
        }
        Act::Claim(kind) => {
            let mut body = death(&id.to_string());
            body["kind"] = app.policy(&id.to_string()).await["may_claim_for"][kind].clone();
            body["event_on"] = app.today().to_string().into();
            let answer = app.claims(body).await;
            assert!(matches!(answer.status, 201 | 400 | 409), "{}", answer.text);
            let claim = answer.json()["payload"]["claim_id"].as_str().map(|id| id.parse().expect("an id"));
            known[kind] = claim.or(known[kind]);
            (claim.is_some(), none)
        }
        Act::Withdraw(kind) => {
            let Some(claim) = known[kind] else { return (false, none) };
            let path = format!("/v1/claims/{claim}/withdrawal");
            let answer = app.post(&path, serde_json::json!({ "reason": "By mistake" })).await;
            assert!(matches!(answer.status, 200 | 400 | 409), "{}", answer.text);
            (answer.status == 200, none)
        }
        Act::Settle(kind, state) => {
            let Some(claim) = known[kind] else { return (false, none) };
            let approved = (state == ClaimState::Approved).then(|| approves(nth));
            let reason = Some(PersonalLine::kept("Told by the insurer.".into()));
            let settled = app
                .service
                .claims
                .decide(claim, Actor::Operator, ClaimVerdict { state, approved, refunds: None, reason })
                .await;
            assert!(settled.as_ref().err().is_none_or(is_refusal), "{settled:?}");
            (settled.is_ok(), none)
        }
        Act::PayClaim(kind, number) | Act::PayPart(kind, number) => {
            let Some(claim) = known[kind] else { return (false, none) };
            let reference = PaymentReference::from_text(&format!("UTR-{number}-{id}")).expect("a reference");
            let part = matches!(act, Act::PayPart(..)).then(|| Rupees::whole(1));
            let paid = app.pays_claim(claim, reference, part).await;
            assert!(paid.as_ref().err().is_none_or(is_refusal), "{paid:?}");
            (paid.is_ok(), none)
        }
    }
}

async fn lives(app: &App, decision: &str, acts: &[Act]) {
    let is_paid_by_partner = decision == "partner";
    let id = match is_paid_by_partner {
        true => {
            static PAID: AtomicU32 = AtomicU32::new(0);
            let nth = PAID.fetch_add(1, Ordering::Relaxed);
            app.has_policy_paid_by_partner(&format!("UTR-SALE-{nth}")).await
        }
        false => app.has_policy_decided_by(decision).await,
    };
    let policy = app.policy(&id).await;
    let total: String = policy["premium"]["total"].as_str().expect("an amount").replace('.', "");
    let mut model = Model {
        state: PolicyState::Issued,
        waits: matches!(decision, "operator" | "insurer"),
        confirmed: decision != "partner",
        premium: Rupees::from_paise(total.parse().expect("paise")),
        bounces: None,
        refund: Rupees::ZERO,
        bounced: Rupees::ZERO,
        is_fraud: false,
        refunds: Vec::new(),
        of_endorsements: 0,
        born: BORN,
        open: None,
        made: 0,
        claims: [None; KINDS],
    };
    model.bounces = is_paid_by_partner.then_some(model.premium);
    let mut known = Known::default();
    let before = app.refunds_booked().await;
    let policy_id = id.parse().expect("an id");
    let mut moves = 0;
    for (nth, act) in acts.iter().enumerate() {
        let from = model.state;
        let (taken, amounts) = done(app, policy_id, &mut known, *act, nth).await;
        assert_eq!(taken, model.takes(*act, amounts, nth), "{act:?} from {from}");
        moves += match (from, model.state) {
            (PolicyState::Issued, PolicyState::Cancelled) => 2,
            (from, to) => u32::from(from != to),
        };
        let shown = app.policy(&id).await;
        assert_eq!(shown["status"], model.state.word(), "{act:?}");
        assert_eq!(shown["history"].as_array().map(Vec::len), Some(moves as usize));
        for (kind, claim) in model.claims.iter().enumerate() {
            let id = known[kind].map(|id| id.to_string());
            let has = shown["claims"]
                .as_array()
                .expect("a list")
                .iter()
                .find(|has| has["claim_id"].as_str() == id.as_deref());
            let state = has.and_then(|has| has["status"].as_str());
            assert_eq!(state, claim.map(|claim| claim.state.word()), "{act:?}");
        }
        let standing = |word: &str| {
            let all = shown["endorsements"].as_array().expect("a list");
            all.iter().filter(|one| one["status"] == word).count()
        };
        assert_eq!(
            (standing("MADE"), standing("REQUESTED")),
            (model.made, usize::from(model.open.is_some()))
        );
        // The ledger sums to zero (`balance` checks it), and has the model's refunds.
        let (returned, owed) = app.refunds_booked().await;
        assert_eq!(before.0 - returned, model.returned(), "{act:?}");
        assert_eq!(owed - before.1, model.owed(), "{act:?}");
        assert!(model.returned() <= model.premium, "more comes back than came in");
    }
    assert_eq!(app.store.faults(app.folder.path()), [""; 0], "{acts:?}");
}

/// Number of histories: `PROPTEST_CASES`, else 40.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

/// Checks that the month's statements and the ledger agree on everything sold and refunded.
async fn statements_equal_the_ledger(app: &App) {
    app.clock.set("2026-12-01T00:15:00+05:30");
    let made = app.makes_statements("2026-11").await;
    let total = |kind: StatementKind, name: &str| -> Rupees {
        let totals = of_kind(&made, kind).into_iter().flat_map(|statement| &statement.totals);
        totals.filter(|(other, _)| other == name).map(|(_, total)| *total).sum()
    };
    let premium = app.balance(Account::Premium).await;
    let returned = app.balance(Account::ReturnedPremium).await;
    assert_eq!(total(StatementKind::Premium, "total"), premium + returned);
    assert_eq!(total(StatementKind::Commission, "total"), premium + returned);
    let taxed = total(StatementKind::Gst, "net_taxable_premium") + total(StatementKind::Gst, "net_gst");
    assert_eq!(taxed, premium + returned);
    let due = app.balance(Account::CommissionDue).await;
    assert_eq!(total(StatementKind::Premium, "commission"), Rupees::ZERO - due);
    let payable = app.balance(Account::PartnerCommission).await;
    assert_eq!(total(StatementKind::Commission, "payable"), payable);
    assert!(payable != Rupees::ZERO, "the partner earns something, so that something is shown");
    let accounts = app.service.premiums.balances().await.expect("read");
    assert_eq!(accounts.iter().map(|account| account.balance).sum::<Rupees>(), Rupees::ZERO);
}

#[test]
fn states_money_and_statements_agree_with_the_model_after_any_acts_in_any_order() {
    let runtime = Runtime::new().expect("a runtime");
    let app = runtime.block_on(async {
        let app = Setup::paid_by_partner().start().await;
        let id = app.partner().id.to_string();
        let earning = Setup::paid_by_partner()
            .edited("commission.toml", |text| text.replace("par_01jc000000e0080000000003f0", &id));
        app.runs_catalogue(&earning.catalogue).await;
        app
    });
    let decision = proptest::sample::select(&["partner", "operator", "insurer", "straight-through"][..]);
    let histories = (decision, proptest::collection::vec(act(), 1..12));
    let config = ProptestConfig {
        cases: cases(),
        max_shrink_iters: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&histories, |(decision, acts)| {
        runtime.block_on(lives(&app, decision, &acts));
        Ok(())
    });
    outcome.unwrap_or_else(|fault| panic!("{fault}"));
    runtime.block_on(statements_equal_the_ledger(&app));
}

/// What happens to the policies of one line: each act with the number of its policy. `None`: a renewal.
type Events = Vec<(usize, Option<Act>)>;

fn events(act: impl Strategy<Value = Act>) -> impl Strategy<Value = Events> {
    proptest::collection::vec((0_usize..4, proptest::option::weighted(0.8, act)), 1..20)
}

/// Does every allowed act, on two policies of a live partner and two of a test partner. The store must stay
/// sound.
async fn leave_a_sound_store(
    app: &mut App,
    policies: &[(PolicyId, usize)],
    partners: &[Partner],
    events: &Events,
) {
    let mut known = [Known::default(); 4];
    for (nth, (number, act)) in events.iter().enumerate() {
        let (id, owner) = policies[*number];
        app.asks_as(partners[owner].clone());
        match act {
            Some(act) => drop(done(app, id, &mut known[*number], *act, nth).await),
            None => {
                let quote = app.quotes_renewal(&id.to_string()).await;
                if quote.status == 200 {
                    app.has_renewed(&id.to_string()).await;
                }
            }
        }
    }
    for (id, owner) in policies {
        claims_stay_within_the_cover(app, partners[*owner].id, *id).await;
    }
    for (id, owner) in policies {
        claims_stay_within_the_cover(app, partners[*owner].id, *id).await;
    }
    let accounts = app.service.premiums.balances().await.expect("read");
    assert_eq!(accounts.iter().map(|account| account.balance).sum::<Rupees>(), Rupees::ZERO);
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

/// Checks that approved claims never exceed the cover, and that a policy with a paid claim never refunds the
/// whole premium (D113, D114).
async fn claims_stay_within_the_cover(app: &App, of: PartnerId, id: PolicyId) {
    let view = app.service.policies.view(of, id).await.expect("a policy");
    let takes = |claim: &&Claim| matches!(claim.state, ClaimState::Approved | ClaimState::Paid);
    let taken: Rupees = view.claims.iter().filter(takes).filter_map(|claim| claim.approved).sum();
    let policy = &view.shown.policy;
    let avoidance = policy.avoidance();
    let never_covered = avoidance.is_some_and(|avoidance| policy.is_full_refund(avoidance.refund.amount));
    let most = policy.sold_terms().sum_insured;
    assert!(taken <= most, "{taken} was approved of {most}");
    assert!(!(never_covered && taken > Rupees::ZERO), "{taken} was approved and the premium refunded");
}

/// Runs histories of two policies of a live partner and two of a test partner, each on its own store.
fn every_history_verifies<Made>(setup: fn() -> Setup, act: impl Strategy<Value = Act>, policies: Made)
where
    Made: AsyncFn(&mut App, usize) -> PolicyId,
{
    let runtime = Runtime::new().expect("a runtime");
    let config = ProptestConfig {
        cases: cases().div_ceil(4),
        max_shrink_iters: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&events(act), |events| {
        runtime.block_on(async {
            let mut app = setup().start().await;
            let mut partners = vec![app.partner().clone(), app.new_test_partner().await];
            let mut made = Vec::new();
            for number in 0..4 {
                app.asks_as(partners[number % 2].clone());
                made.push((policies(&mut app, number).await, number % 2));
            }
            for partner in &mut partners {
                partner.token = app.token_of(partner, &["business"]).await;
            }
            leave_a_sound_store(&mut app, &made, &partners, &events).await;
        });
        Ok(())
    });
    outcome.unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn the_store_passes_verification_after_any_acts_on_credit_life_policies() {
    // Two draw on a deposit; for the other two, the partner collects the premium.
    every_history_verifies(Setup::paid_by_partner, act(), async |app, number| {
        let policy = match number < 2 {
            true => app.has_policy_decided_by(["operator", "straight-through"][number]).await,
            false => app.has_policy_paid_by_partner(&format!("UTR-P{number}")).await,
        };
        policy.parse().expect("an id")
    });
}

#[test]
fn the_store_passes_verification_after_any_acts_on_health_policies() {
    every_history_verifies(Setup::health, act(), async |app, number| {
        app.clock.set("2026-11-20T10:00:00+05:30");
        let id = app.has_health_policy().await.parse().expect("an id");
        // The last days of all four policies, in which they can be renewed.
        if number == 3 {
            app.clock.set("2027-11-10T12:00:00+05:30");
        }
        id
    });
}
