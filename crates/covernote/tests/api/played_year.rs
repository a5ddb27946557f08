//! A simulated year of a broker (D115). Each day customers buy, change, cancel and claim, and insurers pay.
//! Months are closed. Each night a backup is made and verified.
//! The short form simulates two months with a backup every fifth night; `COVERNOTE_YEAR=long` simulates the
//! year.

use std::collections::BTreeMap;

use domain::date::{Date, days_later};
use domain::endorsement::ChargePayment;
use domain::id::{ClaimId, PolicyId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::{Value, json};
use service::claim::settlement::ClaimVerdict;
use service::policy::endorsement::EndorsementVerdict;

use crate::support::claims::death;
use crate::support::{App, Setup};

/// Days to simulate, and nights from one backup to the next.
fn plan() -> (u16, u16) {
    match std::env::var("COVERNOTE_YEAR").as_deref() {
        Err(_) => (62, 5),
        Ok("long") => (366, 1),
        Ok(other) => panic!("COVERNOTE_YEAR is {other:?}; say long, or leave it out"),
    }
}

const FIRST: Date = Date::constant(2026, 11, 20);

/// A pseudo-random sequence, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// The broker's policies and claims, as the test knows them.
struct Year {
    app: App,
    dice: Dice,
    day: Date,
    policies: Vec<String>,
    claims: Vec<ClaimId>,
    payments: u32,
    /// Number of accepted acts of each kind.
    taken: BTreeMap<&'static str, u32>,
}

impl Year {
    async fn begin(setup: Setup) -> Year {
        let app = setup.start().await;
        app.service.calendar.tell_all().await;
        Year {
            app,
            dice: Dice(7),
            day: FIRST,
            policies: Vec::new(),
            claims: Vec::new(),
            payments: 0,
            taken: BTreeMap::new(),
        }
    }

    async fn passes_to(&mut self, day: Date) {
        let month = day.month();
        let was = std::mem::replace(&mut self.day, day);
        self.app.set_clock(&format!("{day}T11:00:00+05:30")).await;
        self.app.service.calendar.tell_all().await;
        if was.month() != month {
            self.app.makes_statements(&format!("{}-{:02}", was.year(), was.month())).await;
        }
    }

    /// One of the newest policies, sometimes any other.
    fn policy(&mut self) -> Option<String> {
        let (all, recent) = (self.policies.len(), 30.min(self.policies.len()));
        let nth = match self.dice.below(4) {
            0 => self.dice.below(all.max(1)),
            _ => all - recent + self.dice.below(recent.max(1)),
        };
        self.policies.get(nth).cloned()
    }

    fn reference(&mut self) -> PaymentReference {
        self.payments += 1;
        PaymentReference::from_text(&format!("UTR-{:06}", self.payments)).expect("a reference")
    }

    /// The payload of an accepted request, or `None` if it was refused. It must not fail with 500 or above.
    #[track_caller]
    fn is_answered(answer: &crate::support::Answer) -> Option<Value> {
        assert!(answer.status < 500, "{}", answer.text);
        (answer.status < 300).then(|| answer.json()["payload"].clone())
    }

    fn takes(&mut self, act: &'static str) {
        *self.taken.entry(act).or_default() += 1;
    }

    /// Whether a use case succeeded. Otherwise it must have refused.
    #[track_caller]
    fn is_done<T>(done: Result<T, service::Error>) -> bool {
        use service::Error::{Conflict, Invalid, Refused};
        match done {
            Ok(_) => true,
            Err(Conflict(_) | Refused(_) | Invalid(_)) => false,
            Err(fault) => panic!("{fault}"),
        }
    }

    async fn cancels(&mut self) {
        let Some(id) = self.policy() else { return };
        let reason =
            ["FREE_LOOK", "NOT_DISBURSED", "DUPLICATE", "CUSTOMER", "FORECLOSURE"][self.dice.below(5)];
        let quote = self.app.quotes_cancellation(&id, reason).await;
        let Some(quote) = Year::is_answered(&quote) else { return };
        let body = json!({ "reason": reason, "refund": quote["refund"]["total"] });
        let asked = Year::is_answered(&self.app.post(&format!("/v1/policies/{id}/cancellation"), body).await);
        let Some(asked) = asked else { return };
        self.takes("cancellation");
        if asked["status"] == "CANCELLATION_REQUESTED" {
            let confirms = self.dice.below(3) > 0;
            let id = id.parse().expect("an id");
            let decided =
                self.app.service.cancellations.decide(id, None, Actor::Operator, confirms, None).await;
            Year::is_done(decided);
        }
    }

    async fn endorses(&mut self) {
        let Some(id) = self.policy() else { return };
        let cover = format!("{}.00", 450_000 - 25_000 * self.dice.below(8));
        let kind = self.dice.below(3);
        let change = match kind {
            0 => json!({ "kind": "COVER_REDUCTION", "sum_insured": cover }),
            1 => {
                json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": format!("15/06/{}", 1978 + self.dice.below(14)) })
            }
            _ => {
                json!({ "kind": "CONTACT", "member": 1, "contact": { "email": format!("a{}@example.com", self.payments) } })
            }
        };
        let quote = self.app.quotes_endorsement(&id, change.clone()).await;
        let Some(quote) = Year::is_answered(&quote) else { return };
        let mut body = change;
        for amount in ["charge", "refund"] {
            body[amount] = quote[amount]["total"].clone();
        }
        let asked = Year::is_answered(&self.app.post(&format!("/v1/policies/{id}/endorsement"), body).await);
        let Some(asked) = asked else { return };
        self.takes(["reduction", "date of birth", "contact"][kind]);
        if asked["status"] == "REQUESTED" {
            let payment = ChargePayment { reference: self.reference(), received_on: self.day };
            let verdict = match self.dice.below(4) {
                0 => EndorsementVerdict::Refuse(Some(PersonalLine::kept("Not proven.".into()))),
                _ if quote["charge"]["total"] == "0.00" => EndorsementVerdict::Confirm(None),
                _ => EndorsementVerdict::Confirm(Some(payment)),
            };
            let id = id.parse().expect("an id");
            self.app.service.endorsements.decide(id, None, Actor::Operator, verdict).await.expect("decided");
        }
    }

    async fn claims(&mut self) {
        let Some(id) = self.policy() else { return };
        let mut body = death(&id);
        body["kind"] = self.app.policy(&id).await["may_claim_for"][0].clone();
        body["event_on"] = self.day.to_string().into();
        if body["kind"].is_null() {
            return;
        }
        if let Some(made) = Year::is_answered(&self.app.claims(body).await) {
            self.takes("claim");
            self.claims.push(made["claim_id"].as_str().expect("an id").parse().expect("an id"));
        }
    }

    /// The insurer takes the next step with a claim.
    async fn settles(&mut self) {
        use domain::claim::ClaimState::{Approved, Rejected, UnderAssessment};
        if self.claims.is_empty() {
            return;
        }
        let nth = self.dice.below(self.claims.len());
        let id = self.claims[nth];
        let approved = Some(Rupees::whole(1000 + 50_000 * self.dice.below(9) as i64));
        let reason = Some(PersonalLine::kept("By the wording.".into()));
        let (state, approved, reason) = match self.dice.below(4) {
            0 => (UnderAssessment, None, None),
            1 | 2 => (Approved, approved, None),
            _ => (Rejected, None, reason),
        };
        let verdict = ClaimVerdict { state, approved, refunds: None, reason };
        if Year::is_done(self.app.service.claims.decide(id, Actor::Operator, verdict).await) {
            self.takes("decision");
        }
        if self.dice.below(2) == 0 {
            let reference = self.reference();
            if Year::is_done(self.app.pays_claim(id, reference, None).await) {
                self.takes("payment of a claim");
            }
        }
    }

    /// The insurers pay their open refunds.
    async fn pays_refunds(&mut self) {
        for owed in self.app.service.policies.refunds_owed(5).await.expect("read") {
            let id: PolicyId = owed.policy.id;
            let reference = self.reference();
            self.app.service.refunds.paid(id, reference, self.day, None).await.expect("noted");
            self.takes("payment of a refund");
        }
    }

    /// A policy near its end is renewed, and the operator accepts the renewal.
    async fn renews(&mut self) {
        let Some(id) = self.policy() else { return };
        let quote = self.app.quotes_renewal(&id).await;
        let Some(quote) = Year::is_answered(&quote) else { return };
        let body = json!({ "premium": quote["premium"]["total"] });
        let Some(made) = Year::is_answered(&self.app.post(&format!("/v1/policies/{id}/renewal"), body).await)
        else {
            return;
        };
        let proposal = made["proposal_id"].as_str().expect("an id");
        let verdict = service::proposal::operator::Verdict::of(true, None);
        let id = proposal.parse().expect("an id");
        self.app.service.operator_proposals.decide(id, verdict).await.expect("decided");
        self.takes("renewal");
        self.policies.push(self.app.policy_id_of(proposal).await);
    }

    async fn acts(&mut self) {
        match self.dice.below(7) {
            0 => self.cancels().await,
            1 => self.endorses().await,
            2 => self.claims().await,
            3 | 4 => self.settles().await,
            5 => self.renews().await,
            _ => self.pays_refunds().await,
        }
    }

    fn is_verified(&self) {
        let faults = self.app.store.faults_of_backup(self.app.folder.path());
        assert_eq!(faults, [""; 0], "the backup of {}", self.day);
    }
}

async fn plays(setup: Setup, sells: impl AsyncFn(&App, usize) -> Option<String>) -> Year {
    let (days, nights) = plan();
    let mut year = Year::begin(setup).await;
    for nth in 0..days {
        let day = days_later(FIRST, nth).expect("in range");
        year.passes_to(day).await;
        let sale = year.dice.below(4);
        year.policies.extend(sells(&year.app, sale).await);
        for _ in 0..3 {
            year.acts().await;
        }
        if nth % nights == 0 {
            year.is_verified();
        }
    }
    year.is_verified();
    let wanted = [
        "cancellation",
        "date of birth",
        "contact",
        "claim",
        "decision",
        "payment of a claim",
        "payment of a refund",
    ];
    for act in wanted {
        assert!(year.taken.contains_key(act), "{act} was never taken: {:?}", year.taken);
    }
    year
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_backup_of_a_simulated_credit_life_business_passes_verification() {
    let decisions = ["partner", "operator", "insurer", "straight-through"];
    let sells = async |app: &App, sale| Some(app.has_policy_decided_by(decisions[sale]).await);
    let year = Box::pin(plays(Setup::default(), sells)).await;
    // The catalogue has no rule for a cover reduction of a health policy.
    assert!(year.taken.contains_key("reduction"), "{:?}", year.taken);
    for status in ["CANCELLED", "TERMINATED", "ISSUED"] {
        let mut of_it = 0;
        for id in &year.policies {
            of_it += usize::from(year.app.policy(id).await["status"] == status);
        }
        assert!(of_it > 0, "no policy is {status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_backup_of_a_simulated_health_business_passes_verification() {
    // The tests' customer turns 35 in January. From then on, the price for age 34 is refused.
    let turns = Date::constant(2027, 1, 10);
    let sells = async |app: &App, _| match app.today() < turns {
        true => Some(app.has_health_policy().await),
        false => None,
    };
    let year = Box::pin(plays(Setup::health(), sells)).await;
    let is_renewed = year.app.store.rows_of("policies where state = 6") > 0;
    let is_due = plan().0 > 360;
    assert_eq!((is_renewed, year.taken.contains_key("renewal")), (is_due, is_due), "at its end");
}
