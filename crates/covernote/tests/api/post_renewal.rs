//! `POST /v1/policies/{policy_id}/renewal`: the proposal for a renewal, who decides it, and the state of the
//! old policy (D91).

use std::time::Duration;

use domain::date::Date;
use domain::id::ProposalId;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::statement::StatementKind;
use domain::text::FromText;
use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Error;
use service::decision::premium::{Payment, Teller};
use service::policy::endorsement::EndorsementVerdict;
use service::proposal::operator::Verdict;
use service::waiting::WaitingKind;

use crate::support::certificate::text_of;
use crate::support::statements::of_kind;
use crate::support::{Answer, App, Setup};

const AMRIT: &str = "insurers/amrit/product.toml";

fn path(id: &str) -> String {
    format!("/v1/policies/{id}/renewal")
}

/// A policy with cover until 19 November 2027. The clock is at 10 November 2027.
async fn due(setup: Setup) -> (App, String) {
    let mut app = setup.start().await;
    let id = app.has_health_policy().await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    (app, id)
}

fn proposal_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

async fn decides(app: &App, proposal: &str, accepts: bool) -> Result<&'static str, Error> {
    let id: ProposalId = proposal.parse().expect("an id");
    let verdict = Verdict::of(accepts, None);
    app.service.operator_proposals.decide(id, verdict).await.map(|decided| decided.status)
}

/// The text of a policy's certificate, as a customer downloads it.
async fn certificate(app: &App, policy: &str) -> String {
    let shown = app.policy(policy).await;
    let address = shown["papers"]["certificate"].as_str().expect("an address").to_owned();
    let path = address.strip_prefix(&app.base).expect("on this server");
    text_of(&app.get_without_bearer(path).await.bytes)
}

/// Records that the premium of a proposal was received today.
async fn pays(app: &App, proposal: &str, reference: &str) {
    pays_on(app, proposal, reference, app.today()).await;
}

/// Records that the premium of a proposal was received on a day.
async fn pays_on(app: &App, proposal: &str, reference: &str, received_on: Date) {
    let amount = app.premium_of(proposal).await.books.due;
    let payment = Payment {
        reference: PaymentReference::from_text(reference).expect("a reference"),
        amount,
        received_on,
        lines: vec![(proposal.parse().expect("an id"), amount)],
    };
    app.service.premiums.receive(Teller::Operator, payment).await.expect("noted");
}

#[tokio::test]
async fn the_renewal_policy_is_issued_when_the_renewal_is_accepted() {
    let (app, id) = due(Setup::health()).await;
    let proposal = proposal_of(&app.renews(&id).await);
    let shown = app.get(&format!("/v1/proposals/{proposal}")).await.json()["payload"].clone();
    assert_eq!(shown["status"], "OFFLINE", "the operator decides it");
    assert_eq!(app.policy(&id).await["status"], "ISSUED", "until then nothing has changed");
    assert_eq!(decides(&app, &proposal, true).await.expect("decided"), "ACCEPTED");
    let next = app.policy_id_of(&proposal).await;
    let before = app.policy(&id).await;
    assert_eq!(
        (&before["status"], &before["renewal"]["renewed_by"], &before["renewal"]["may_renew"]),
        (&json!("RENEWED"), &json!(next), &json!(false))
    );
    let moved = &before["history"][0];
    assert_eq!(
        (&moved["from"], &moved["to"], &moved["by"]),
        (&json!("ISSUED"), &json!("RENEWED"), &json!("operator"))
    );
    let after = app.policy(&next).await;
    assert_eq!(
        (&after["cover_starts"], &after["cover_ends"], &after["premium"]["total"]),
        (&json!("2027-11-20"), &json!("2028-11-19"), &json!("8250.00"))
    );
    assert_eq!(
        (
            &after["renewal"]["renews"],
            &after["renewal"]["covered_since"],
            &after["renewal"]["renewable_until"]
        ),
        (&json!(id), &json!("2026-11-20"), &json!("2028-12-19"))
    );
    assert_eq!(after["members"], before["members"]);
    assert_eq!((&after["quote_id"], &after["reference"]), (&Value::Null, &before["reference"]));
    // The certificate says so.
    let text = certificate(&app, &next).await;
    let number = before["policy_number"].as_str().expect("text");
    // The certificate breaks the number into lines.
    for wanted in ["Renews", &number[..9], "Covered since", "20 Nov 2026"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("You may return"), "a renewal has no free look: {text}");
}

#[tokio::test]
async fn a_renewed_policy_covers_until_its_last_day_and_its_check_page_says_so() {
    let (mut app, id) = due(Setup::health()).await;
    let first = app.policy(&id).await["proposal_id"].as_str().expect("an id").to_owned();
    app.has_renewed(&id).await;
    let (of, first) = (app.partner().id, first.parse().expect("an id"));
    let policy = app.service.proposals.policy_of(of, first).await.expect("read").expect("there");
    let code = service::line::certificate::check_text(policy.check.expect("a code"));
    let page = async |app: &App| app.get_without_bearer(&format!("/certificate/{code}")).await.text;
    assert!(page(&app).await.contains("The cover is in force. Another policy follows it."));
    let text = certificate(&app, &id).await;
    assert!(!text.contains("No longer in force"), "{text}");
    app.set_clock("2027-11-20T00:00:00+05:30").await;
    assert!(page(&app).await.contains("The cover has ended. Another policy followed it."));
    assert_eq!(app.policy(&id).await["status"], "RENEWED");
    // A claim for a day of the old policy's cover still belongs to the old policy.
    let claim = json!({
        "policy_id": id, "kind": "HOSPITALISATION", "event_on": "2027-11-18", "cause": "Fever",
        "claimant": { "name": "Asha Rao", "relation": "SELF", "mobile": "9876543210" },
    });
    let answer = app.post("/v1/claims", claim).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

#[tokio::test]
async fn a_policy_can_have_only_one_open_renewal_and_be_renewed_only_once() {
    let (app, id) = due(Setup::health()).await;
    let proposal = proposal_of(&app.renews(&id).await);
    let second = app.renews(&id).await;
    second.is_refused(409, "S4090");
    assert!(second.text.contains(&proposal), "{}", second.text);
    // After a rejected renewal, a new one is possible.
    assert_eq!(decides(&app, &proposal, false).await.expect("decided"), "REJECTED");
    let third = proposal_of(&app.renews(&id).await);
    assert_eq!(decides(&app, &third, true).await.expect("decided"), "ACCEPTED");
    let over = app.quotes_renewal(&id).await;
    over.is_refused(400, "S4000");
    assert!(over.text.contains("RENEWED"), "{}", over.text);
    for change in ["cancellation-quote", "endorsement-quote"] {
        let body = match change {
            "cancellation-quote" => json!({ "reason": "CUSTOMER" }),
            _ => json!({ "kind": "CONTACT", "contact": { "mobile": "9876500000" } }),
        };
        app.post(&format!("/v1/policies/{id}/{change}"), body).await.is_refused(400, "S4000");
    }
}

#[tokio::test]
async fn sixteen_simultaneous_renewal_requests_create_only_one_proposal() {
    let (app, id) = due(Setup::health()).await;
    let body = json!({ "premium": "8250.00" });
    let path = path(&id);
    let asks = (0..16).map(|_| app.post(&path, body.clone()));
    let answers = join_all(asks).await;
    let made: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), 1);
    let proposal = proposal_of(made[0]);
    for lost in answers.iter().filter(|answer| answer.status != 201) {
        lost.is_refused(409, "S4090");
        assert!(lost.text.contains(&proposal), "{}", lost.text);
    }
}

#[tokio::test]
async fn simultaneous_renewal_requests_with_one_idempotency_key_get_the_same_proposal() {
    // D36
    let (app, id) = due(Setup::health()).await;
    let ask = || {
        let request = app.request("POST", &path(&id)).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "renew-1").json(&json!({ "premium": "8250.00" })))
    };
    let answers = join_all((0..4).map(|_| ask())).await;
    let first = proposal_of(&answers[0]);
    assert!(answers.iter().all(|answer| proposal_of(answer) == first));
}

#[tokio::test]
async fn a_renewal_request_with_another_premium_than_quoted_is_a_conflict() {
    let (app, id) = due(Setup::health()).await;
    let answer = app.post(&path(&id), json!({ "premium": "8249.99" })).await;
    answer.is_refused(409, "S4090");
    assert!(answer.text.contains("8,250.00"), "{}", answer.text);
    app.post(&path(&id), json!({})).await.has_faults_on(&["premium"]);
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn a_renewal_policy_is_issued_only_after_its_premium_was_received() {
    // D63, D65
    let (mut app, id, proposal, page) = waits_for_its_premium().await;
    let shown = app.get_without_bearer(&page).await;
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("Pay the premium"), "{}", shown.text);
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
    // The premium comes in the grace period, so cover begins on that day.
    app.set_clock("2027-12-01T12:00:00+05:30").await;
    pays(&app, &proposal, "UTR2").await;
    app.eventually("its policy", async || (app.rows_of("policies") == 2).then_some(())).await;
    let next = app.policy_id_of(&proposal).await;
    let after = app.policy(&next).await;
    assert_eq!((&after["cover_starts"], &after["cover_ends"]), (&json!("2027-12-01"), &json!("2028-11-30")));
    assert_eq!(after["renewal"]["covered_since"], "2026-11-20");
    assert_eq!(app.policy(&id).await["status"], "RENEWED");
}

#[tokio::test]
async fn a_renewal_cannot_be_accepted_after_the_grace_period() {
    let (mut app, id) = due(Setup::health()).await;
    let proposal = proposal_of(&app.renews(&id).await);
    app.set_clock("2027-12-20T00:00:00+05:30").await;
    let late = decides(&app, &proposal, true).await;
    assert!(
        matches!(&late, Err(Error::AgainstRules(why)) if why.0[0].message.contains("19 Dec 2027")),
        "{late:?}"
    );
    assert_eq!(app.policy(&id).await["status"], "LAPSED");
}

#[tokio::test]
async fn a_renewal_is_refused_if_the_policy_changed_since_the_request() {
    let (app, id) = due(Setup::health()).await;
    let proposal = proposal_of(&app.renews(&id).await);
    let contact = json!({ "kind": "CONTACT", "contact": { "mobile": "9876500000" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    let endorsed = decides(&app, &proposal, true).await;
    assert!(
        matches!(&endorsed, Err(Error::AgainstRules(why)) if why.0[0].message.contains("new endorsement since")),
        "{endorsed:?}"
    );
    assert_eq!(decides(&app, &proposal, false).await.expect("decided"), "REJECTED");
    // The next renewal has the new mobile number. A cancellation of the policy ends it.
    let proposal = proposal_of(&app.renews(&id).await);
    assert_eq!(app.cancels(&id, "CUSTOMER").await.status, 200);
    let cancelled = decides(&app, &proposal, true).await;
    assert!(
        matches!(&cancelled, Err(Error::AgainstRules(why)) if why.0[0].message.contains("CANCELLED")),
        "{cancelled:?}"
    );
    assert_eq!(app.rows_of("policies"), 1);
}

#[tokio::test]
async fn an_invalid_renewal_is_rejected_when_a_new_renewal_is_requested() {
    let (app, id) = due(Setup::health()).await;
    let void = proposal_of(&app.renews(&id).await);
    let contact = json!({ "kind": "CONTACT", "contact": { "mobile": "9876500000" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    let next = proposal_of(&app.renews(&id).await);
    assert_ne!(next, void);
    let shown = app.get(&format!("/v1/proposals/{void}")).await.json()["payload"].clone();
    assert_eq!(shown["status"], "REJECTED");
    assert!(shown["reason"].as_str().expect("why").contains("new endorsement since"), "{shown}");
    assert_eq!(decides(&app, &next, true).await.expect("decided"), "ACCEPTED");
}

#[tokio::test]
async fn a_policy_cannot_be_renewed_while_an_endorsement_awaits_its_decision() {
    let (app, id) = due(Setup::health()).await;
    // Two years older: the higher price is paid before the endorsement is made.
    let older = json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/01/1989" });
    let proposal = proposal_of(&app.renews(&id).await);
    let asked = app.endorses(&id, older).await;
    assert_eq!(asked.json()["payload"]["status"], "REQUESTED", "{}", asked.text);
    assert_eq!(app.policy(&id).await["renewal"]["may_renew"], false);
    let waits = app.quotes_renewal(&id).await;
    waits.is_refused(409, "S4090");
    assert!(
        waits.text.contains("Endorsement 1 of the policy (DATE_OF_BIRTH) must be decided first."),
        "{}",
        waits.text
    );
    let accepted = decides(&app, &proposal, true).await;
    assert!(matches!(accepted, Err(Error::AgainstRules(_))), "{accepted:?}");
    let policy = id.parse().expect("an id");
    let refuse = EndorsementVerdict::Refuse(None);
    app.service.endorsements.decide(policy, Some(1), Actor::Operator, refuse).await.expect("refused");
    assert_eq!(app.quotes_renewal(&id).await.status, 200);
    assert_eq!(decides(&app, &proposal, true).await.expect("decided"), "ACCEPTED", "nothing has changed");
}

/// A policy without a decision, whose premium is paid here, with a renewal that waits for its premium.
/// Returns the app, the policy, the proposal and the path of the customer's page.
async fn waits_for_its_premium() -> (App, String, String, String) {
    let straight_through = |text: String| {
        text.replace("line = \"health\"\n", "line = \"health\"\ndecision = \"straight-through\"\n")
    };
    let setup = Setup::health().with_premium(AMRIT, "by = \"here\"").edited(AMRIT, straight_through);
    let mut app = setup.start().await;
    let journey = app.has_answered_journey(crate::support::health::PLAIN, &[]).await;
    let first = app.proposes(&journey).await;
    pays(&app, &first, "UTR1").await;
    app.eventually("its policy", async || (app.rows_of("policies") == 1).then_some(())).await;
    let id = app.policy_id_of(&first).await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    let answer = app.renews(&id).await;
    let proposal = proposal_of(&answer);
    let payload = answer.json()["payload"].clone();
    assert_eq!((&payload["confirmed_by"], &payload["paid_by"]), (&json!("straight-through"), &json!("here")));
    let page = payload["status_url"].as_str().expect("an address").to_owned();
    let page = page.strip_prefix(&app.base).expect("on this server").to_owned();
    (app, id, proposal, page)
}

#[tokio::test]
async fn a_renewal_that_became_invalid_cannot_be_paid() {
    let (mut app, id, proposal, page) = waits_for_its_premium().await;
    assert_eq!(app.waits(WaitingKind::Renewal).await, [id.as_str()]);
    assert!(app.waits(WaitingKind::VoidRenewal).await.is_empty());
    let contact = json!({ "kind": "CONTACT", "contact": { "mobile": "9876500000" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    assert_eq!(app.waits(WaitingKind::VoidRenewal).await, [proposal]);
    let shown = app.get_without_bearer(&page).await;
    assert!(!shown.text.contains("Pay the premium"), "{}", shown.text);
    assert!(shown.text.contains("This renewal is no longer valid"), "{}", shown.text);
    let pay = app.get_without_bearer(&format!("{page}/pay")).await;
    assert!(pay.text.contains("This renewal is no longer valid"), "it leads back to the page: {}", pay.text);
    // A new renewal is valid until its last day.
    let answer = app.renews(&id).await;
    assert!(app.waits(WaitingKind::VoidRenewal).await.is_empty());
    let url = answer.json()["payload"]["status_url"].as_str().expect("an address").to_owned();
    let page = url.strip_prefix(&app.base).expect("on this server").to_owned();
    assert!(app.get_without_bearer(&page).await.text.contains("Pay the premium"));
    app.set_clock("2027-12-20T00:00:00+05:30").await;
    assert!(app.get_without_bearer(&page).await.text.contains("This renewal is no longer valid"));
}

#[tokio::test]
async fn a_premium_received_in_the_grace_period_renews_the_policy_even_if_recorded_later() {
    let (mut app, id, proposal, _) = waits_for_its_premium().await;
    app.set_clock("2027-12-20T09:00:00+05:30").await;
    assert_eq!(app.policy(&id).await["status"], "LAPSED");
    pays_on(&app, &proposal, "UTR2", Date::constant(2027, 12, 19)).await;
    app.eventually("its policy", async || (app.rows_of("policies") == 2).then_some(())).await;
    let after = app.policy(&app.policy_id_of(&proposal).await).await;
    assert_eq!(
        (&after["cover_starts"], &after["renewal"]["covered_since"]),
        (&json!("2027-12-20"), &json!("2026-11-20"))
    );
    assert_eq!(app.policy(&id).await["status"], "RENEWED");
}

#[tokio::test]
async fn a_renewal_covers_the_people_as_endorsed_and_has_no_free_look_period() {
    let (app, id) = due(Setup::health()).await;
    let name = json!({ "kind": "NAME", "member": 1, "name": { "title": "MS", "first_name": "Aasha", "last_name": "Raao" } });
    assert_eq!(app.endorses(&id, name).await.status, 200);
    let next = app.has_renewed(&id).await;
    let after = app.policy(&next).await;
    assert_eq!(after["members"][0]["name"], "Aasha Raao");
    assert!(!after["may_cancel_for"].as_array().expect("a list").contains(&json!("FREE_LOOK")));
    let refused = app.quotes_cancellation(&next, "FREE_LOOK").await;
    refused.is_refused(400, "S4000");
    assert!(refused.text.contains("renews another one"), "{}", refused.text);
    // Before the start of cover, the whole premium is refunded. By this catalogue, its tax never is.
    let quote = app.quotes_cancellation(&next, "CUSTOMER").await.json()["payload"].clone();
    assert_eq!(quote["refund"], json!({ "base": "7500.00", "gst": "0.00", "total": "7500.00" }));
}

#[tokio::test]
async fn either_a_renewal_or_a_simultaneous_cancellation_of_the_policy_succeeds() {
    let (mut renewed, mut lost) = (0, 0);
    for round in 0..10 {
        let (app, id) = due(Setup::health()).await;
        let proposal = proposal_of(&app.renews(&id).await);
        let quote = app.quotes_cancellation(&id, "CUSTOMER").await.json()["payload"].clone();
        let body = json!({ "reason": "CUSTOMER", "refund": quote["refund"]["total"] });
        let path = format!("/v1/policies/{id}/cancellation");
        let cancel = app.post(&path, body);
        let accept = decides(&app, &proposal, true);
        // In the first two rounds, one finishes before the other starts, each once.
        let (accepted, cancelled) = match round {
            0 => (accept.await, cancel.await),
            1 => {
                let cancelled = cancel.await;
                (accept.await, cancelled)
            }
            _ => tokio::join!(accept, async {
                tokio::time::sleep(Duration::from_millis(round * 2)).await;
                cancel.await
            }),
        };
        let stands = app.policy(&id).await["status"].clone();
        match (&accepted, cancelled.status) {
            (Ok(_), 400 | 409) => {
                cancelled
                    .is_refused(cancelled.status, if cancelled.status == 400 { "S4000" } else { "S4090" });
                assert_eq!(stands, "RENEWED");
                renewed += 1;
            }
            (Err(_), 200) => {
                assert_eq!(stands, "CANCELLED");
                lost += 1;
            }
            other => panic!("{other:?}: {stands}"),
        }
        assert_eq!(app.rows_of("policies"), if stands == "RENEWED" { 2 } else { 1 });
    }
    assert!(renewed > 0 && lost > 0, "{renewed} renewed, {lost} cancelled");
}

#[tokio::test]
async fn the_bordereau_lists_a_renewal_as_transaction_renew() {
    // D85
    let (mut app, id) = due(Setup::health()).await;
    app.has_renewed(&id).await;
    app.set_clock("2027-12-01T00:20:00+05:30").await;
    for month in ["2026-11", "2027-11"] {
        app.makes_statements(month).await;
    }
    let made = app.makes_statements("2027-11").await;
    let [bordereau] = of_kind(&made, StatementKind::Premium)[..] else { panic!("{made:?}") };
    let rows = app.statement_rows(bordereau).await;
    assert_eq!(rows.column("transaction"), ["RENEW"]);
    assert_eq!(rows.column("cover_start"), ["2027-11-20"]);
}
