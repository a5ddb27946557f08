//! Rules for several claims on one policy: they stay within its cover, a life dies once, and a policy that
//! pays a claim keeps its premium (D113, D114).

use domain::cancellation::CancellationReason;
use domain::claim::{ClaimState, RefundsAfter};
use domain::id::ClaimId;
use domain::money::{PlainAmount, Rupees};
use domain::person::PersonalLine;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Error;
use service::claim::settlement::{ClaimPaid, ClaimVerdict};
use service::policy::cancellation::CancellationAsk;

use crate::support::bodies::{self, nominee, with};
use crate::support::certificate::{certificate_of, check_path_of, has_completed, text_of};
use crate::support::claims::{death, pdf};
use crate::support::premium::KALPANIK;
use crate::support::{App, Setup};

/// A level cover for up to four people.
const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";

/// A claim of a kind by a member, for an event on a day.
fn claim(policy: &str, kind: &str, event_on: &str, member: u16) -> Value {
    let body = with(with(death(policy), "kind", json!(kind)), "event_on", json!(event_on));
    with(body, "member", json!(member))
}

impl App {
    /// A policy with level cover for this number of people.
    async fn has_policy_of_members(&self, members: usize) -> String {
        let quote = self.has_quote().await;
        let items = quote["recommendations"].as_array().expect("a list");
        let item = items.iter().find(|item| item["variant_id"] == LEVEL).expect("in the sample");
        let mut body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED");
        let joint = (1..members).map(|nth| {
            let name = ["Devika", "Meera", "Kabir"][nth - 1];
            let pan = json!(format!("ABCPM567{nth}L"));
            let joint = with(bodies::joint_borrower(), "first_name", json!(name));
            with(joint, "documents.0.document_number", pan)
        });
        body["insured_members"] = std::iter::once(bodies::proposer()).chain(joint).collect();
        let proposal = has_completed(self, body).await;
        self.policy_id_of(&proposal).await
    }

    async fn made(&self, body: Value) -> ClaimId {
        let made = self.claims(body).await;
        assert_eq!(made.status, 201, "{}", made.text);
        made.json()["payload"]["claim_id"].as_str().expect("an id").parse().expect("an id")
    }

    async fn decides(&self, claim: ClaimId, state: ClaimState, approved: Option<i64>) -> Result<(), String> {
        let reason = Some(PersonalLine::kept("Told by the insurer".into()));
        let verdict =
            ClaimVerdict { state, approved: approved.map(Rupees::from_paise), refunds: None, reason };
        let decided = self.service.claims.decide(claim, Actor::Operator, verdict).await;
        decided.map(drop).map_err(|fault| fault.to_string())
    }

    /// Reviews a new claim and approves it, with an amount in paise.
    async fn approves(&self, claim: ClaimId, paise: i64) -> Result<(), String> {
        self.decides(claim, ClaimState::UnderAssessment, None).await?;
        self.decides(claim, ClaimState::Approved, Some(paise)).await
    }

    async fn is_paid(&self, claim: ClaimId) {
        let reference = PaymentReference::from_text(&claim.to_string()).expect("a reference");
        self.pays_claim(claim, reference, None).await.expect("paid");
    }

    /// Approves a claim under assessment, and says what becomes of refunds.
    async fn approves_with(&self, claim: ClaimId, paise: i64, refunds: RefundsAfter) -> Result<(), String> {
        let (state, approved) = (ClaimState::Approved, Some(Rupees::from_paise(paise)));
        let verdict = ClaimVerdict { state, approved, refunds: Some(refunds), reason: None };
        let decided = self.service.claims.decide(claim, Actor::Operator, verdict).await;
        decided.map(drop).map_err(|fault| fault.to_string())
    }

    /// Cancels a policy as its insurer.
    async fn cancels_as_insurer(&self, policy: &str, reason: CancellationReason) -> Result<(), String> {
        let ask = CancellationAsk { reason, received_on: None, by: Actor::Insurer, note: None };
        let (of, id) = (self.partner().id, policy.parse().expect("an id"));
        let cancellations = &self.service.cancellations;
        let draft = cancellations.request(of, id, &ask, None).await.map_err(|fault| fault.to_string())?;
        cancellations.keep(draft, None).await.map(drop).map_err(|fault| fault.to_string())
    }

    /// The benefit for a kind of claim and a member, as the policy shows it.
    async fn benefit(&self, policy: &str, kind: &str, member: u16) -> Value {
        let shown = self.policy(policy).await;
        let all = shown["cover_left"].as_array().expect("a list");
        let found = all.iter().find(|left| left["kind"] == kind && left["member"] == member);
        found.unwrap_or_else(|| panic!("{all:?}")).clone()
    }

    /// The cover that remains for a kind of claim and a member, as the policy shows it.
    async fn left(&self, policy: &str, kind: &str, member: u16) -> Value {
        self.benefit(policy, kind, member).await["left"].clone()
    }
}

#[tokio::test]
async fn approvals_of_disability_and_death_claims_together_cannot_exceed_the_members_cover() {
    // D113
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock("2027-03-01T10:00:00+05:30").await;
    let disability = app.made(claim(&policy, "DISABILITY", "2027-02-01", 1)).await;
    app.approves(disability, 30_000_000).await.expect("within the cover");
    assert_eq!(app.left(&policy, "DEATH", 1).await, "200000.00", "an approval takes of the cover");
    let death = app.made(claim(&policy, "DEATH", "2027-02-20", 1)).await;
    let refused = app.approves(death, 50_000_000).await.expect_err("more than is left");
    assert!(refused.contains("₹5,00,000.00") && refused.contains("₹2,00,000.00"), "{refused}");
    app.decides(death, ClaimState::Approved, Some(20_000_001)).await.expect_err("a paisa more");
    app.decides(death, ClaimState::Approved, Some(20_000_000)).await.expect("all that is left");
    let shown = app.service.claims.view(app.partner().id, death).await.expect("a claim").shown;
    let cover = app.service.claims.cover(&shown.claim).await.expect("read");
    assert_eq!((cover.sum_insured, cover.left), (Rupees::whole(500_000), Rupees::whole(200_000)));
}

#[tokio::test]
async fn a_claim_on_a_reducing_cover_pays_at_most_the_cover_of_the_year_of_the_event() {
    // D113: in the second year, the cover is 2,64,907.79 of 5,00,000.
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock("2028-01-10T10:00:00+05:30").await;
    let made = app.made(claim(&policy, "DEATH", "2028-01-01", 1)).await;
    app.approves(made, 26_490_780).await.expect_err("more than the second year has");
    app.decides(made, ClaimState::Approved, Some(26_490_779)).await.expect("the cover of the second year");
}

#[tokio::test]
async fn payment_of_a_death_claim_terminates_the_policy_in_lists_events_certificate_and_check_page() {
    // D113
    let app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let policy = app.policy_id_of(&proposal).await;
    let made = app.made(death(&policy)).await;
    app.approves(made, 50_000_000).await.expect("approved");
    assert_eq!(app.policy(&policy).await["status"], "ISSUED", "until it is paid");
    app.is_paid(made).await;
    let shown = app.policy(&policy).await;
    assert_eq!((&shown["status"], &shown["may_cancel_for"]), (&json!("TERMINATED"), &json!([])));
    assert_eq!((&shown["may_endorse"], &shown["history"][0]["to"]), (&json!([]), &json!("TERMINATED")));
    assert_eq!(app.left(&policy, "DISABILITY", 1).await, "0.00");
    let listed = app.get("/v1/policies?issued_from=2026-11-20&status=TERMINATED").await.json();
    assert_eq!(listed["policies"][0]["policy_id"], policy.as_str());
    let issued = app.get("/v1/policies?issued_from=2026-11-20&status=ISSUED").await.json();
    assert_eq!(issued["policies"], json!([]));
    let events = app.get(&format!("/v1/events?subject={policy}")).await.json();
    let types: Vec<&Value> =
        events["events"].as_array().expect("a list").iter().map(|one| &one["type"]).collect();
    assert!(types.contains(&&json!("policy.terminated")), "{types:?}");
    let certificate = certificate_of(&app, &proposal).await;
    assert!(
        text_of(&certificate.bytes).contains("Terminated on 20 Nov 2026, after a claim: there is no cover.")
    );
    let page = app.get_without_bearer(&check_path_of(&app, &proposal).await).await;
    assert!(page.text.contains("The policy was terminated on 20 Nov 2026, after a claim"), "{}", page.text);
    assert!(!page.text.contains("in force"), "{}", page.text);
    app.quotes_cancellation(&policy, "CUSTOMER").await.is_refused(400, "S4000");
}

#[tokio::test]
async fn each_of_four_members_can_have_one_death_claim_and_the_last_payment_terminates_the_policy() {
    // D113
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(4).await;
    app.set_clock("2027-03-01T10:00:00+05:30").await;
    for member in 1..=4 {
        assert_eq!(app.policy(&policy).await["status"], "ISSUED");
        assert_eq!(app.left(&policy, "DEATH", member).await, "500000.00", "each has a cover of its own");
        let made = app.made(claim(&policy, "DEATH", "2027-02-01", member)).await;
        let again = app.claims(claim(&policy, "DEATH", "2027-02-02", member)).await;
        again.is_refused(409, "S4090");
        assert!(again.text.contains(&made.to_string()), "{}", again.text);
        app.approves(made, 50_000_000).await.expect("approved");
        app.is_paid(made).await;
        app.claims(claim(&policy, "DISABILITY", "2027-02-02", member)).await.has_faults_on(&["event_on"]);
    }
    assert_eq!(app.policy(&policy).await["status"], "TERMINATED");
}

#[tokio::test]
async fn two_simultaneous_claim_approvals_cannot_both_use_the_same_cover() {
    // D113
    let app = App::start().await;
    let policy = app.has_policy().await;
    let kinds = ["DEATH", "DISABILITY"];
    let mut made = Vec::new();
    for kind in kinds {
        let claim = app.made(claim(&policy, kind, "2026-11-20", 1)).await;
        app.decides(claim, ClaimState::UnderAssessment, None).await.expect("moved");
        made.push(claim);
    }
    let approved =
        join_all(made.iter().map(|one| app.decides(*one, ClaimState::Approved, Some(30_000_000)))).await;
    assert_eq!(approved.iter().filter(|one| one.is_ok()).count(), 1, "{approved:?}");
}

#[tokio::test]
async fn rejected_and_withdrawn_claims_do_not_block_a_new_claim_or_a_cancellation() {
    // D114
    let app = App::start().await;
    let policy = app.has_policy().await;
    let rejected = app.made(death(&policy)).await;
    app.decides(rejected, ClaimState::Rejected, None).await.expect("rejected");
    let withdrawn = app.made(death(&policy)).await;
    let answer =
        app.post(&format!("/v1/claims/{withdrawn}/withdrawal"), json!({ "reason": "By mistake" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let shown = app.policy(&policy).await;
    assert!(shown["may_cancel_for"].as_array().expect("a list").contains(&json!("FREE_LOOK")), "{shown}");
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
}

#[tokio::test]
async fn an_open_claim_prevents_a_full_refund_and_a_full_refund_prevents_later_claims() {
    // D114
    let app = App::start().await;
    let policy = app.has_policy().await;
    let ask = CancellationAsk {
        reason: domain::cancellation::CancellationReason::NotDisbursed,
        received_on: None,
        by: Actor::Insurer,
        note: None,
    };
    let id = policy.parse().expect("an id");
    let of = app.partner().id;
    let cancel = async || app.service.cancellations.request(of, id, &ask, None).await;
    let open = app.made(death(&policy)).await;
    let refused = cancel().await.map(drop).expect_err("a claim is open");
    assert!(matches!(refused, Error::Conflict(_) | Error::NotCancellable(_)), "{refused}");
    let unquoted =
        app.service.cancellations.quote(of, id, &ask).await.map(drop).expect_err("a claim is open");
    assert_eq!(unquoted.to_string(), refused.to_string());
    app.decides(open, ClaimState::Rejected, None).await.expect("rejected");
    let draft = cancel().await.expect("no claim counts");
    assert!(app.service.cancellations.keep(draft, None).await.expect("kept").replayed().is_none());
    let refused = app.claims(death(&policy)).await;
    refused.has_faults_on(&["event_on"]);
    assert!(refused.text.contains("never gave cover"), "{}", refused.text);
}

#[tokio::test]
async fn a_claim_is_judged_by_the_policy_as_it_was_on_the_day_of_the_event() {
    // D113
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock("2026-12-20T10:00:00+05:30").await;
    let other = with(nominee(json!(100)), "first_name", json!("Meera"));
    let name = json!({ "title": "MS", "first_name": "Zoya", "last_name": "Khan" });
    for change in [
        json!({ "kind": "NAME", "name": name }),
        json!({ "kind": "NOMINEE", "nominees": [other] }),
        json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" }),
    ] {
        let made = app.endorses(&policy, change).await;
        assert_eq!((made.status, &made.json()["payload"]["status"]), (200, &json!("MADE")), "{}", made.text);
    }
    app.set_clock("2026-12-30T10:00:00+05:30").await;
    for (day, member, nominee, cover) in
        [("2026-11-29", "Asha K Rao", "Ravi", 500_000), ("2026-12-25", "Zoya Khan", "Meera", 300_000)]
    {
        let kind = if day < "2026-12" { "DISABILITY" } else { "DEATH" };
        let made = app.made(claim(&policy, kind, day, 1)).await;
        let shown = app.service.claims.view(app.partner().id, made).await.expect("a claim").shown.claim;
        let found = app.service.claims.cover(&shown).await.expect("read");
        assert_eq!(shown.member_name.reveal(), member);
        assert!(found.nominees[0].name.reveal().starts_with(nominee), "{}", found.nominees[0].name.reveal());
        assert_eq!(found.sum_insured, Rupees::whole(cover));
    }
}

#[tokio::test]
async fn a_claim_is_paid_only_if_each_missing_paper_is_waived() {
    // D114
    let app = App::start().await;
    let policy = app.has_policy().await;
    let made = app.made(death(&policy)).await;
    let id = made.to_string();
    app.uploads(&id, "?paper=death-certificate", "application/pdf", pdf(50)).await;
    app.approves(made, 50_000_000).await.expect("approved");
    let waive = |papers: &[&str]| ClaimPaid {
        reference: PaymentReference::from_text("UTR-1").expect("a reference"),
        paid_on: app.today(),
        amount: None,
        payee: None,
        transfer_total: None,
        waived: papers
            .iter()
            .map(|paper| domain::claim::WaivedPaper {
                paper: (*paper).to_owned(),
                reason: PersonalLine::kept("Seen by the branch".into()),
            })
            .collect(),
    };
    let pay = async |papers: &[&str]| app.service.claims.paid(made, Actor::Operator, waive(papers)).await;
    let refused = pay(&["claimant-identity"]).await.expect_err("two are missing").to_string();
    assert!(refused.contains("cancelled-cheque, loan-statement"), "{refused}");
    assert!(!refused.contains("death-certificate") && !refused.contains("medical"), "{refused}");
    let all = ["claimant-identity", "cancelled-cheque", "loan-statement"];
    pay(&[&all[..], &["death-certificate"]].concat()).await.expect_err("that one came");
    pay(&all).await.expect("each is waived");
    let papers = app.claim(&id).await["papers"].clone();
    assert_eq!((&papers[0]["waived"], &papers[1]["waived"]), (&Value::Null, &json!("Seen by the branch")));
}

#[tokio::test]
async fn claims_respect_the_waiting_period_the_survival_period_and_the_percentage_of_cover() {
    // D113
    let setup = Setup::with_edited(KALPANIK, |text| {
        let text = text.replace("waiting_days = 0", "waiting_days = 30");
        text.replace("same_within_days = 0", "percent = 50\nsurvival_days = 14")
    });
    let mut app = setup.start().await;
    let policy = app.has_policy_of_members(1).await;
    app.set_clock("2027-01-05T10:00:00+05:30").await;
    app.claims(claim(&policy, "DEATH", "2026-12-19", 1)).await.has_faults_on(&["event_on"]);
    let made = app.made(claim(&policy, "DISABILITY", "2026-12-25", 1)).await;
    let refused = app.approves(made, 25_000_000).await.expect_err("too early");
    assert!(refused.contains("survives until 8 Jan 2027"), "{refused}");
    app.set_clock("2027-01-08T10:00:00+05:30").await;
    app.decides(made, ClaimState::Approved, Some(25_000_001)).await.expect_err("half of the cover");
    app.decides(made, ClaimState::Approved, Some(25_000_000)).await.expect("half of the cover");
}

#[tokio::test]
async fn a_full_refund_removes_all_cover_including_the_days_before_an_endorsement() {
    // D114
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock("2026-12-01T10:00:00+05:30").await;
    let less = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
    assert_eq!(app.endorses(&policy, less).await.status, 200);
    app.set_clock("2026-12-10T10:00:00+05:30").await;
    assert_eq!(app.cancels(&policy, "MIS_SALE").await.status, 200);
    for day in ["2026-11-25", "2026-12-05"] {
        let refused = app.claims(claim(&policy, "DEATH", day, 1)).await;
        refused.has_faults_on(&["event_on"]);
        assert!(refused.text.contains("never gave cover"), "{}", refused.text);
    }
    assert_eq!(app.left(&policy, "DEATH", 1).await, "0.00");
}

#[tokio::test]
async fn a_disability_claim_is_not_paid_if_its_event_is_after_the_members_paid_death() {
    // D113: both claims were reported before either was paid.
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(2).await;
    app.set_clock("2027-03-01T10:00:00+05:30").await;
    let later = app.made(claim(&policy, "DISABILITY", "2027-02-02", 1)).await;
    let death = app.made(claim(&policy, "DEATH", "2027-02-01", 1)).await;
    app.approves(death, 30_000_000).await.expect("approved");
    app.approves(later, 10_000_000).await.expect("the death is not paid yet");
    app.is_paid(death).await;
    let reference = PaymentReference::from_text("UTR-7").expect("a reference");
    let refused = app.pays_claim(later, reference, None).await.expect_err("the life had ended").to_string();
    assert!(refused.contains("ended on 1 Feb 2027"), "{refused}");
    assert_eq!(app.policy(&policy).await["status"], "ISSUED", "the other life goes on");
}

#[tokio::test]
async fn missing_papers_can_be_added_to_an_approved_claim_but_not_to_a_paid_one() {
    // D83, D114
    let app = App::start().await;
    let policy = app.has_policy().await;
    let made = app.made(death(&policy)).await;
    app.approves(made, 50_000_000).await.expect("approved");
    let paper = app.uploads(&made.to_string(), "?paper=loan-statement", "application/pdf", pdf(50)).await;
    assert_eq!(paper.status, 201, "{}", paper.text);
    app.is_paid(made).await;
    let refused =
        app.uploads(&made.to_string(), "?paper=claimant-identity", "application/pdf", pdf(50)).await;
    refused.is_refused(409, "S4090");
}

#[tokio::test]
async fn a_policy_cancelled_for_fraud_pays_no_claim_and_its_open_claims_are_decided_first() {
    // D151
    let app = App::start().await;
    let policy = app.has_policy().await;
    let open = app.made(death(&policy)).await;
    let refused =
        app.cancels_as_insurer(&policy, CancellationReason::Fraud).await.expect_err("a claim is open");
    assert!(refused.contains(&open.to_string()), "{refused}");
    app.decides(open, ClaimState::Rejected, None).await.expect("rejected");
    app.cancels_as_insurer(&policy, CancellationReason::Fraud).await.expect("cancelled");
    let refused = app.claims(death(&policy)).await;
    refused.has_faults_on(&["event_on"]);
    assert!(refused.text.contains("cancelled for fraud"), "{}", refused.text);
    assert_eq!(app.left(&policy, "DEATH", 1).await, "0.00");
}

#[tokio::test]
async fn an_approval_says_whether_the_payment_deducts_premium_refunded_for_days_after_the_death() {
    // D151
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(1).await;
    app.set_clock("2026-12-05T10:00:00+05:30").await;
    let cancelled = app.cancels(&policy, "FREE_LOOK").await;
    assert_eq!(cancelled.status, 200, "{}", cancelled.text);
    let refund = cancelled.json()["payload"]["refund"]["total"].as_str().expect("an amount").to_owned();
    let refund = PlainAmount::from_text(&refund).expect("an amount").0;
    let made = app.made(claim(&policy, "DEATH", "2026-11-25", 1)).await;
    let refused = app.approves(made, 50_000_000).await.expect_err("it does not say");
    assert!(refused.contains(&refund.grouped_with_paise()), "{refused}");
    app.approves_with(made, refund.paise(), RefundsAfter::Deduct).await.expect_err("nothing would be paid");
    app.approves_with(made, 50_000_000, RefundsAfter::Deduct).await.expect("approved");
    let shown = app.service.claims.view(app.partner().id, made).await.expect("a claim").shown.claim;
    let cover = app.service.claims.cover(&shown).await.expect("read");
    assert_eq!((cover.refunded_after, shown.deducted), (refund, Some(refund)));
    assert_eq!(cover.policy_state.word(), "CANCELLED");
    let reference = |text: &str| PaymentReference::from_text(text).expect("a reference");
    let whole = Rupees::whole(500_000);
    app.pays_claim(made, reference("UTR-1"), Some(whole)).await.expect_err("the refund is not deducted");
    app.pays_claim(made, reference("UTR-1"), Some(whole - refund)).await.expect("paid");
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_claim_that_ends_no_life_keeps_later_refunds_and_its_approval_may_not_deduct_them() {
    // D151
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(1).await;
    app.set_clock("2026-12-05T10:00:00+05:30").await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    let made = app.made(claim(&policy, "DISABILITY", "2026-11-25", 1)).await;
    app.decides(made, ClaimState::UnderAssessment, None).await.expect("moved");
    app.approves_with(made, 10_000_000, RefundsAfter::Deduct).await.expect_err("nothing to deduct");
    app.decides(made, ClaimState::Approved, Some(10_000_000)).await.expect("approved");
}

#[tokio::test]
async fn a_disability_that_uses_the_whole_sum_insured_terminates_the_policy() {
    // D113
    let app = App::start().await;
    let policy = app.has_policy_of_members(1).await;
    let part = app.made(claim(&policy, "DISABILITY", "2026-11-20", 1)).await;
    app.approves(part, 50_000_000).await.expect("approved");
    assert_eq!(app.policy(&policy).await["status"], "ISSUED", "until it is paid");
    app.is_paid(part).await;
    assert_eq!(app.policy(&policy).await["status"], "TERMINATED");
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_reduction_leaves_at_least_the_sum_insured_that_claims_have_used() {
    // D151
    let edited = Setup::with_edited("endorsements.toml", |text| {
        text.replace("after_claim = false", "after_claim = true")
    });
    let app = edited.start().await;
    let policy = app.has_policy_of_members(1).await;
    let part = app.made(claim(&policy, "DISABILITY", "2026-11-20", 1)).await;
    app.approves(part, 30_000_000).await.expect("approved");
    app.is_paid(part).await;
    let to = |sum: &str| json!({ "kind": "COVER_REDUCTION", "sum_insured": sum });
    let refused = app.quotes_endorsement(&policy, to("200000.00")).await;
    refused.has_faults_on(&["sum_insured"]);
    assert!(refused.text.contains("₹3,00,000.00"), "{}", refused.text);
    assert_eq!(app.quotes_endorsement(&policy, to("300000.00")).await.status, 200);
}

#[tokio::test]
async fn a_claim_for_a_day_after_the_death_takes_nothing_from_it_and_its_refusal_names_the_death() {
    // D151
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(1).await;
    app.set_clock("2027-03-01T10:00:00+05:30").await;
    let later = app.made(claim(&policy, "DISABILITY", "2027-02-02", 1)).await;
    app.approves(later, 30_000_000).await.expect("approved");
    let death = app.made(claim(&policy, "DEATH", "2027-02-01", 1)).await;
    app.approves(death, 50_000_000).await.expect("the whole cover is left");
    let reference = PaymentReference::from_text("UTR-7").expect("a reference");
    let refused = app.pays_claim(later, reference, None).await.expect_err("the life had ended").to_string();
    assert!(refused.contains("ended on 1 Feb 2027") && refused.contains(&death.to_string()), "{refused}");
    app.is_paid(death).await;
    assert_eq!(app.policy(&policy).await["status"], "TERMINATED");
}

#[tokio::test]
async fn after_the_end_of_cover_a_policy_shows_what_claims_for_its_last_day_can_use() {
    // D151
    let mut app = App::start().await;
    let policy = app.has_policy_of_members(1).await;
    assert_eq!(app.benefit(&policy, "DEATH", 1).await["on"], "2026-11-20");
    app.set_clock("2026-12-05T10:00:00+05:30").await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.set_clock("2026-12-20T10:00:00+05:30").await;
    let left = app.benefit(&policy, "DEATH", 1).await;
    assert_eq!((&left["on"], &left["left"]), (&json!("2026-12-05"), &json!("500000.00")));
    app.claims(claim(&policy, "DEATH", "2026-12-06", 1)).await.has_faults_on(&["event_on"]);
    let made = app.made(claim(&policy, "DEATH", "2026-12-05", 1)).await;
    app.decides(made, ClaimState::UnderAssessment, None).await.expect("moved");
    app.approves_with(made, 50_000_001, RefundsAfter::Keep).await.expect_err("a paisa more");
    app.approves_with(made, 50_000_000, RefundsAfter::Keep).await.expect("as shown");
}
