//! Any history of a policy after its sale: a model of its states, its claims and its money says what each act comes to
//! (D66, D68, D69, D81, D82), and the statements of the month equal the ledger (D85, D86).

use domain::cancellation::CancellationReason;
use domain::claim::{ClaimKind, ClaimState};
use domain::id::{ClaimId, PolicyId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy_state::PolicyState;
use domain::premium::{Account, PaymentReference};
use domain::proposal::Actor;
use domain::statement::StatementKind;
use domain::text::FromText;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use service::Error;
use service::cancellation::CancellationAsk;
use service::claim::ClaimVerdict;
use tokio::runtime::Runtime;

use crate::support::App;
use crate::support::claims::death;
use crate::support::statements::of_kind;

/// The kinds of claims that the sample's loan cover pays for, of each of which a policy has at most one on a day.
const KINDS: [ClaimKind; 2] = [ClaimKind::Death, ClaimKind::Disability];

/// What somebody does.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// The partner asks for a cancellation, or the operator or the insurer cancels.
    Cancel(Actor, CancellationReason),
    /// The operator confirms or refuses.
    Decide(bool),
    /// The operator notes a payment under one of three references.
    Pay(u8),
    /// The partner makes a claim of a kind known, for today.
    Claim(usize),
    /// The operator notes what the insurer decided about the claim of a kind.
    Settle(usize, ClaimState),
    /// The operator notes that it was paid, under one of three references.
    PayClaim(usize, u8),
}

fn act() -> impl Strategy<Value = Act> {
    let who = prop_oneof![Just(Actor::Partner), Just(Actor::Operator), Just(Actor::Insurer)];
    let reason = proptest::sample::select(CancellationReason::ALL);
    prop_oneof![
        3 => (who, reason).prop_map(|(who, reason)| Act::Cancel(who, reason)),
        2 => any::<bool>().prop_map(Act::Decide),
        2 => (0_u8..3).prop_map(Act::Pay),
        2 => (0..KINDS.len()).prop_map(Act::Claim),
        4 => (0..KINDS.len(), proptest::sample::select(ClaimState::ALL))
            .prop_map(|(kind, state)| Act::Settle(kind, state)),
        2 => (0..KINDS.len(), 0_u8..3).prop_map(|(kind, reference)| Act::PayClaim(kind, reference)),
    ]
}

/// What the states and the rules of the sample say, written a second time.
struct Model {
    state: PolicyState,
    /// Whether the operator or the insurer decides.
    waits: bool,
    premium: Rupees,
    refund: Rupees,
    paid: Option<u8>,
    /// The claim of each kind, and the reference under which it was paid.
    claims: [Option<(ClaimState, Option<u8>)>; KINDS.len()],
    /// Whether a claim was made known since a cancellation was asked for.
    claimed_since: bool,
}

impl Model {
    /// Whether an act is taken.
    fn takes(&mut self, act: Act, refund: Option<Rupees>) -> bool {
        match act {
            Act::Cancel(who, reason) => {
                let alone = matches!(reason, CancellationReason::Fraud | CancellationReason::Misstatement);
                let is_claimed = self.claims.iter().any(Option::is_some);
                // Once a claim was made, nobody but the insurer has a reason left.
                let has_reason = if alone { who == Actor::Insurer } else { !is_claimed };
                let may = self.state == PolicyState::Issued && has_reason;
                if may {
                    self.claimed_since = false;
                    let asks = self.waits && who == Actor::Partner;
                    self.state =
                        if asks { PolicyState::CancellationRequested } else { PolicyState::Cancelled };
                    self.refund = refund.expect("it was quoted");
                }
                may
            }
            Act::Decide(confirms) => {
                let may =
                    self.state == PolicyState::CancellationRequested && !(confirms && self.claimed_since);
                if may {
                    self.state = if confirms { PolicyState::Cancelled } else { PolicyState::Issued };
                }
                may
            }
            Act::Pay(reference) => {
                let owed = self.state == PolicyState::Cancelled && self.refund > Rupees::ZERO;
                let may = match self.paid {
                    Some(paid) => paid == reference,
                    None => owed,
                };
                if may {
                    self.paid = Some(reference);
                }
                may
            }
            Act::Claim(_) | Act::Settle(..) | Act::PayClaim(..) => self.takes_on_claim(act),
        }
    }

    /// Whether an act on the claim of a kind is taken.
    fn takes_on_claim(&mut self, act: Act) -> bool {
        use ClaimState::{
            Approved, Intimated, Paid, Rejected, Repudiated, UnderAssessment, UnderInvestigation,
        };
        let (kind, to) = match act {
            Act::Claim(kind) => (kind, Intimated),
            Act::Settle(kind, state) => (kind, state),
            Act::PayClaim(kind, _) => (kind, Paid),
            Act::Cancel(..) | Act::Decide(_) | Act::Pay(_) => unreachable!("no act on a claim"),
        };
        let claim = &mut self.claims[kind];
        if let (Some((Paid, paid)), Act::PayClaim(_, reference)) = (&claim, act) {
            return *paid == Some(reference);
        }
        let may = match (claim.map(|(state, _)| state), to) {
            (None, Intimated) => matches!(act, Act::Claim(_)),
            (Some(Intimated), UnderAssessment | Rejected) => true,
            (Some(UnderAssessment), UnderInvestigation) => true,
            (Some(UnderAssessment | UnderInvestigation), Approved | Rejected | Repudiated) => true,
            (Some(Approved), Paid) => matches!(act, Act::PayClaim(..)),
            _ => false,
        };
        if may {
            let paid = if let Act::PayClaim(_, reference) = act { Some(reference) } else { None };
            *claim = Some((to, paid));
            self.claimed_since |= matches!(act, Act::Claim(_));
        }
        may
    }

    /// What the insurer still owes.
    fn owed(&self) -> Rupees {
        match (self.state, self.paid) {
            (PolicyState::Cancelled, None) => self.refund,
            _ => Rupees::ZERO,
        }
    }

    fn returned(&self) -> Rupees {
        if self.state == PolicyState::Cancelled { self.refund } else { Rupees::ZERO }
    }
}

/// The claims of a policy that were made known, by their kind.
type Known = [Option<ClaimId>; KINDS.len()];

/// Does an act. Whether it was taken, and the refund that was quoted.
async fn done(app: &App, id: PolicyId, known: &mut Known, act: Act) -> (bool, Option<Rupees>) {
    let cancellations = &app.service.cancellations;
    let of = app.partner().id;
    let refused =
        |fault: &Error| matches!(fault, Error::Refused(_) | Error::Conflict(_) | Error::NotCancellable(_));
    match act {
        Act::Cancel(by, reason) => {
            let ask = CancellationAsk { reason, received_on: None, by, note: None };
            let draft = match cancellations.request(of, id, &ask, None).await {
                Ok(draft) => draft,
                Err(fault) => {
                    assert!(refused(&fault), "{fault}");
                    return (false, None);
                }
            };
            let refund = draft.quote.refund.refund.total();
            assert!(cancellations.keep(draft, None).await.expect("kept").replayed().is_none());
            (true, Some(refund))
        }
        Act::Decide(confirms) => match cancellations.decide(id, confirms, None).await {
            Ok(_) => (true, None),
            Err(fault) => {
                assert!(refused(&fault), "{fault}");
                (false, None)
            }
        },
        Act::Pay(number) => {
            let reference = PaymentReference::from_text(&format!("UTR-{number}")).expect("a reference");
            let today = app.service.policies.today();
            match cancellations.refund_paid(id, reference, today, None).await {
                Ok(_) => (true, None),
                Err(fault) => {
                    assert!(refused(&fault), "{fault}");
                    (false, None)
                }
            }
        }
        Act::Claim(kind) => {
            let mut body = death(&id.to_string());
            body["kind"] = KINDS[kind].word().into();
            body["event_on"] = app.today().to_string().into();
            let answer = app.claims(body).await;
            assert!(matches!(answer.status, 201 | 409), "{}", answer.text);
            let claim = answer.json()["payload"]["claim_id"].as_str().map(|id| id.parse().expect("an id"));
            known[kind] = known[kind].or(claim);
            (claim.is_some(), None)
        }
        Act::Settle(kind, state) => {
            let Some(claim) = known[kind] else { return (false, None) };
            let approved = (state == ClaimState::Approved).then(|| Rupees::whole(1000));
            let reason = Some(PersonalLine::kept("Told by the insurer.".into()));
            let settled = app.service.claims.decide(claim, ClaimVerdict { state, approved, reason }).await;
            assert!(settled.as_ref().err().is_none_or(refused), "{settled:?}");
            (settled.is_ok(), None)
        }
        Act::PayClaim(kind, number) => {
            let Some(claim) = known[kind] else { return (false, None) };
            let reference = PaymentReference::from_text(&format!("UTR-{number}")).expect("a reference");
            let paid = app.service.claims.paid(claim, reference, app.today(), None).await;
            assert!(paid.as_ref().err().is_none_or(refused), "{paid:?}");
            (paid.is_ok(), None)
        }
    }
}

async fn lives(app: &App, decision: &str, acts: &[Act]) {
    let id = app.has_policy_decided_by(decision).await;
    let policy = app.policy(&id).await;
    let total: String = policy["premium"]["total"].as_str().expect("an amount").replace('.', "");
    let mut model = Model {
        state: PolicyState::Issued,
        waits: matches!(decision, "operator" | "insurer"),
        premium: Rupees::from_paise(total.parse().expect("paise")),
        refund: Rupees::ZERO,
        paid: None,
        claims: [None; KINDS.len()],
        claimed_since: false,
    };
    let mut known = Known::default();
    let before = app.refunds_booked().await;
    let policy_id = id.parse().expect("an id");
    let mut moves = 0;
    for act in acts {
        let from = model.state;
        let (taken, refund) = done(app, policy_id, &mut known, *act).await;
        assert_eq!(taken, model.takes(*act, refund), "{act:?} from {from}");
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
            assert_eq!(state, claim.map(|(state, _)| state.word()), "{act:?}");
        }
        // The ledger sums to nought (`balance` asks for it), and has what the model has.
        let (returned, owed) = app.refunds_booked().await;
        assert_eq!(before.0 - returned, model.returned(), "{act:?}");
        assert_eq!(owed - before.1, model.owed(), "{act:?}");
        assert!(model.returned() <= model.premium, "more comes back than came in");
    }
}

/// How many histories: PROPTEST_CASES, else 40.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

/// What the statements of the month and the ledger say of all that was sold and given back.
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
fn whatever_is_done_in_whatever_order_states_and_money_and_statements_are_as_the_model_says() {
    let runtime = Runtime::new().expect("a runtime");
    let app = runtime.block_on(async {
        let app = App::start().await;
        app.pays_commission_to(&app.partner().clone(), "").await;
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
