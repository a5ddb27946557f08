//! Any history of a policy after its sale: a model of its states and its money says what each act comes to (D66, D68, D69).

use std::sync::OnceLock;

use domain::cancellation::CancellationReason;
use domain::id::PolicyId;
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use proptest::prelude::*;
use service::Error;
use service::cancellation::CancellationAsk;
use tokio::runtime::Runtime;

use crate::support::App;

/// One app for all histories, on a runtime of its own.
fn shared() -> &'static (Runtime, App) {
    static APP: OnceLock<(Runtime, App)> = OnceLock::new();
    APP.get_or_init(|| {
        let runtime = Runtime::new().expect("a runtime");
        let app = runtime.block_on(App::start());
        (runtime, app)
    })
}

/// What somebody does.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// The partner asks for a cancellation, or the operator or the insurer cancels.
    Cancel(Actor, CancellationReason),
    /// The operator confirms or refuses.
    Decide(bool),
    /// The operator notes a payment under one of three references.
    Pay(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let who = prop_oneof![Just(Actor::Partner), Just(Actor::Operator), Just(Actor::Insurer)];
    let reason = proptest::sample::select(CancellationReason::ALL);
    prop_oneof![
        3 => (who, reason).prop_map(|(who, reason)| Act::Cancel(who, reason)),
        2 => any::<bool>().prop_map(Act::Decide),
        2 => (0_u8..3).prop_map(Act::Pay),
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
}

impl Model {
    /// Whether an act is taken.
    fn takes(&mut self, act: Act, refund: Option<Rupees>) -> bool {
        match act {
            Act::Cancel(who, reason) => {
                let alone = matches!(reason, CancellationReason::Fraud | CancellationReason::Misstatement);
                let may = self.state == PolicyState::Issued && (who == Actor::Insurer || !alone);
                if may {
                    let asks = self.waits && who == Actor::Partner;
                    self.state =
                        if asks { PolicyState::CancellationRequested } else { PolicyState::Cancelled };
                    self.refund = refund.expect("it was quoted");
                }
                may
            }
            Act::Decide(confirms) => {
                let may = self.state == PolicyState::CancellationRequested;
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
        }
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

/// Does an act. Whether it was taken, and the refund that was quoted.
async fn done(app: &App, id: PolicyId, act: Act) -> (bool, Option<Rupees>) {
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
    };
    let before = app.refunds_booked().await;
    let policy_id = id.parse().expect("an id");
    let mut moves = 0;
    for act in acts {
        let from = model.state;
        let (taken, refund) = done(app, policy_id, *act).await;
        assert_eq!(taken, model.takes(*act, refund), "{act:?} from {from}");
        moves += match (from, model.state) {
            (PolicyState::Issued, PolicyState::Cancelled) => 2,
            (from, to) => u32::from(from != to),
        };
        let shown = app.policy(&id).await;
        assert_eq!(shown["status"], model.state.word(), "{act:?}");
        assert_eq!(shown["history"].as_array().map(Vec::len), Some(moves as usize));
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

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_done_in_whatever_order_states_and_money_are_as_the_model_says(
        decision in prop_oneof![Just("partner"), Just("operator"), Just("insurer"), Just("straight-through")],
        acts in proptest::collection::vec(act(), 1..12),
    ) {
        let (runtime, app) = shared();
        runtime.block_on(lives(app, decision, &acts));
    }
}
