//! `POST /v1/policies/{policy_id}/endorsement`: who requests, who confirms, the payment, and the certificates
//! (D89).

use domain::claim::{ClaimState, RefundsAfter};
use domain::date::{BirthDate, Date};
use domain::endorsement::ChargePayment;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::premium::{Account, PaymentReference};
use domain::proposal::Actor;
use domain::statement::StatementKind;
use domain::text::FromText;
use serde_json::{Value, json};
use service::Error;
use service::access::status_page::AddressRenewal;
use service::claim::settlement::ClaimVerdict;
use service::policy::PolicySought;
use service::policy::endorsement::EndorsementVerdict;
use service::statement::AnswerLine;

use crate::support::bodies::{address, nominee, with};
use crate::support::certificate::{certificate_of, text_of};
use crate::support::claims::death;
use crate::support::statements::of_kind;
use crate::support::{App, Setup};

fn younger() -> Value {
    json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "15/06/1992" })
}

fn older() -> Value {
    json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "15/06/1979" })
}

fn less_cover() -> Value {
    json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" })
}

fn other_nominee() -> Value {
    let mut nominee = nominee(json!(100));
    nominee["first_name"] = "Meera".into();
    json!({ "kind": "NOMINEE", "nominees": [nominee] })
}

fn contact() -> Value {
    let address = with(address(), "city", json!("Mysuru"));
    json!({ "kind": "CONTACT", "contact": { "address": address, "mobile": "9876500000", "email": "new@example.com" } })
}

/// The number and the status of an endorsement in an answer.
fn stands(answer: &crate::support::Answer) -> (Value, Value) {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let payload = &answer.json()["payload"];
    (payload["number"].clone(), payload["status"].clone())
}

fn reference(text: &str) -> PaymentReference {
    PaymentReference::from_text(text).expect("a reference")
}

impl App {
    async fn decides_endorsement(&self, id: &str, verdict: EndorsementVerdict) -> Result<String, Error> {
        let decided = self
            .service
            .endorsements
            .decide(id.parse().expect("an id"), None, Actor::Operator, verdict)
            .await;
        decided.map(|(_, state)| state.word().to_owned())
    }
}

#[tokio::test]
async fn a_change_without_a_charge_is_made_immediately_with_a_new_certificate() {
    let app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let id = app.policy_id_of(&proposal).await;
    let before = certificate_of(&app, &proposal).await.bytes;
    assert!(!text_of(&before).contains("Endorsed on"));
    assert_eq!(stands(&app.endorses(&id, other_nominee()).await), (json!(1), json!("MADE")));
    let after = certificate_of(&app, &proposal).await.bytes;
    let text = text_of(&after);
    assert!(text.contains("Meera K Rao") || text.contains("Meera Rao"), "{text}");
    assert!(text.contains("Endorsed on 20 Nov 2026: the nominees were changed."), "{text}");
    assert!(text.contains("version 2"), "{text}");
    // The operator can still read the previous certificate, byte for byte. The download address and the QR
    // code lead to the new one.
    let policy = id.parse().expect("an id");
    let (_, replaced) = app.service.endorsements.replaced_certificate(policy, 1).await.expect("kept");
    assert_eq!(replaced, before);
    for none in [0, 2] {
        let found = app.service.endorsements.replaced_certificate(policy, none).await;
        assert!(matches!(found, Err(Error::Unknown { .. })), "{found:?}");
    }
    let shown = app.policy(&id).await;
    let endorsement = &shown["endorsements"][0];
    assert_eq!((&endorsement["kind"], &endorsement["status"]), (&json!("NOMINEE"), &json!("MADE")));
    assert_eq!((&endorsement["asked_by"], &endorsement["member"]), (&json!("partner"), &Value::Null));
    assert_eq!((&shown["status"], &shown["history"]), (&json!("ISSUED"), &json!([])), "it was not moved");
}

#[tokio::test]
async fn api_certificate_and_search_show_a_policy_with_its_endorsements() {
    let app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let id = app.policy_id_of(&proposal).await;
    let name = json!({ "title": "MS", "first_name": "Aasha", "last_name": "Raao" });
    for change in [
        contact(),
        json!({ "kind": "NAME", "name": name }),
        json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-0002" }),
        json!({ "kind": "ASSIGNMENT", "assignee": "Udaharan Bank" }),
        younger(),
        less_cover(),
    ] {
        assert_eq!(stands(&app.endorses(&id, change).await).1, "MADE");
    }
    let shown = app.policy(&id).await;
    assert_eq!(shown["members"][0]["name"], "Aasha Raao");
    assert_eq!(shown["members"][0]["date_of_birth"], "1992-06-15");
    // 2.84 x 300, with 18 % tax.
    assert_eq!(shown["premium"], json!({ "base": "852.00", "gst": "153.36", "total": "1005.36" }));
    assert_eq!((&shown["sum_insured"], &shown["reference"]), (&json!("300000.00"), &json!("LN-0002")));
    let text = text_of(&certificate_of(&app, &proposal).await.bytes);
    for wanted in [
        "Aasha Raao",
        "15 Jun 1992",
        "Mysuru",
        "LN-0002",
        "a claim pays Udaharan Bank what is owed first",
        "version 7",
        "1,005.36",
        "3,00,000",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // The policy is found by its present data and by its former data.
    let find = async |kind, value: &str| {
        let by = PolicySought::Known(domain::identifier::Identifier::of(kind, value));
        app.service.policies.find_by(None, &by, 10).await.expect("read").len()
    };
    use domain::identifier::IdentifierKind::{Email, Mobile, Reference};
    for (kind, value) in
        [(Mobile, "9876500000"), (Email, "new@example.com"), (Mobile, "9876543210"), (Reference, "LN-0002")]
    {
        assert_eq!(find(kind, value).await, 1, "{value}");
    }
    let listed = app.get("/v1/policies?reference=LN-0002").await.json();
    assert_eq!(listed["policies"][0]["policy_id"], id);
    // The proposal does not change.
    let (asked, _) = app.found_proposal(&proposal).await;
    assert_eq!(asked.application.request.insured_members[0].name.full().reveal(), "Asha K Rao");
    let code = crate::support::certificate::policy_of(&app, &proposal).await.check.expect("a code");
    let page = app
        .get_without_bearer(&format!("/certificate/{}", service::line::certificate::check_text(code)))
        .await;
    assert!(page.text.contains("A. R."), "{}", page.text);
}

#[tokio::test]
async fn the_policy_stays_as_it_is_until_the_operator_confirms_the_endorsement() {
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    // A change that needs no decision in the catalogue is made at once.
    assert_eq!(stands(&app.endorses(&id, contact()).await).1, "MADE");
    let name =
        json!({ "kind": "NAME", "name": { "title": "MS", "first_name": "Aasha", "last_name": "Rao" } });
    let asked = app.endorses(&id, name.clone()).await;
    assert_eq!(stands(&asked), (json!(2), json!("REQUESTED")));
    assert_eq!(asked.json()["payload"]["confirmed_by"], "operator");
    assert_eq!(app.policy(&id).await["members"][0]["name"], "Asha K Rao");
    assert_eq!(app.policy(&id).await["may_endorse"], json!([]));
    assert_eq!(app.service.policies.endorsements_open(10).await.expect("read").len(), 1);
    // Only one endorsement at a time.
    app.quotes_endorsement(&id, other_nominee()).await.is_refused(409, "S4090");
    let reason = PersonalLine::from_text("The document says otherwise.").expect("a line");
    let refused = app.decides_endorsement(&id, EndorsementVerdict::Refuse(Some(reason))).await;
    assert_eq!(refused.expect("refused"), "REFUSED");
    let shown = app.policy(&id).await;
    assert_eq!(shown["endorsements"][1]["status"], "REFUSED");
    assert_eq!(shown["endorsements"][1]["reason"], "The document says otherwise.");
    assert!(app.service.policies.endorsements_open(10).await.expect("read").is_empty());
    let none = app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await;
    assert!(matches!(none, Err(Error::Conflict(_))), "{none:?}");
    assert_eq!(stands(&app.endorses(&id, name).await), (json!(3), json!("REQUESTED")));
    let made = app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await;
    assert_eq!(made.expect("made"), "MADE");
    assert_eq!(app.policy(&id).await["members"][0]["name"], "Aasha Rao");
}

#[tokio::test]
async fn an_endorsement_with_a_charge_is_made_only_after_its_payment_is_received() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    let before = app.balance(Account::Premium).await;
    assert_eq!(stands(&app.endorses(&id, older()).await).1, "REQUESTED", "1,646.10 is to be paid first");
    assert_eq!(app.policy(&id).await["premium"]["total"], "2188.90");
    let unpaid = app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await;
    assert!(matches!(&unpaid, Err(Error::Conflict(why)) if why.detail.contains("1,646.10")), "{unpaid:?}");
    app.set_clock("2026-11-22T12:00:00+05:30").await;
    let today = app.service.policies.today();
    let payment = |received_on| Some(ChargePayment { reference: reference("UTR-9"), received_on });
    for wrong in [today.tomorrow().expect("a day"), domain::date::Date::constant(2026, 11, 19)] {
        let refused = app.decides_endorsement(&id, EndorsementVerdict::Confirm(payment(wrong))).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    }
    let made = app.decides_endorsement(&id, EndorsementVerdict::Confirm(payment(today))).await;
    assert_eq!(made.expect("made"), "MADE");
    assert_eq!(app.policy(&id).await["premium"]["total"], "3835.00");
    let premium = app.balance(Account::Premium).await;
    assert_eq!(premium - before, Rupees::from_paise(164_610), "the ledger has it");
    // For a policy that was sold twice, everything is refunded, with the charge of the endorsement.
    let back = app.quotes_cancellation(&id, "DUPLICATE").await.json()["payload"]["refund"].clone();
    assert_eq!(back, json!({ "base": "3250.00", "gst": "585.00", "total": "3835.00" }));
}

#[tokio::test]
async fn the_store_passes_verification_after_an_endorsement_charge_on_a_partner_paid_policy() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_policy_paid_by_partner("UTR-1").await;
    assert_eq!(stands(&app.endorses(&id, older()).await).1, "REQUESTED");
    let payment = ChargePayment { reference: reference("UTR-2"), received_on: app.service.policies.today() };
    app.decides_endorsement(&id, EndorsementVerdict::Confirm(Some(payment))).await.expect("made");
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[tokio::test]
async fn several_refunds_of_a_policy_are_paid_in_due_order_and_never_exceed_its_premium() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    assert_eq!(stands(&app.endorses(&id, less_cover()).await).1, "MADE");
    let shown = app.policy(&id).await;
    assert_eq!(shown["endorsements"][0]["refund"]["total"], "863.58");
    assert_eq!(shown["endorsements"][0]["refund_due_on"], "2026-12-06");
    assert_eq!(app.refunds_booked().await.1, Rupees::from_paise(86_358));
    // A full refund returns everything that was not refunded yet: 2,188.90 less 863.58.
    let all = app.quotes_cancellation(&id, "DUPLICATE").await.json()["payload"]["refund"].clone();
    assert_eq!(all, json!({ "base": "1123.15", "gst": "202.17", "total": "1325.32" }));
    // In the free look, both refunds together equal the refund of the whole policy on that day.
    app.set_clock("2026-11-30T12:00:00+05:30").await;
    let free_look = app.cancels(&id, "FREE_LOOK").await;
    assert_eq!(free_look.json()["payload"]["refund"]["total"], "1293.58");
    assert_eq!(app.refunds_booked().await.1, Rupees::from_paise(86_358 + 129_358));
    // The refund that is due first is paid first.
    let policy = id.parse().expect("an id");
    let today = app.service.policies.today();
    let pay = async |text: &str| app.service.refunds.paid(policy, reference(text), today, None).await;
    assert_eq!(pay("UTR-1").await.expect("paid").0, Rupees::from_paise(86_358));
    assert_eq!(pay("UTR-1").await.expect("the same").0, Rupees::from_paise(86_358));
    assert_eq!(app.service.policies.refunds_owed(10).await.expect("read").len(), 1);
    assert_eq!(pay("UTR-2").await.expect("paid").0, Rupees::from_paise(129_358));
    assert!(matches!(pay("UTR-3").await, Err(Error::Conflict(_))));
    assert_eq!(app.refunds_booked().await.1, Rupees::ZERO);
    let shown = app.policy(&id).await;
    assert_eq!(shown["endorsements"][0]["refund_paid"]["reference"], "UTR-1");
    assert_eq!(shown["cancellation"]["refund_paid"]["reference"], "UTR-2");
}

#[tokio::test]
async fn an_endorsement_whose_amounts_differ_from_the_quote_is_a_conflict_and_changes_nothing() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let path = format!("/v1/policies/{id}/endorsement");
    for (charge, refund) in [("0", "0"), ("0", "513.29"), ("1", "513.30")] {
        let body = with(with(younger(), "charge", json!(charge)), "refund", json!(refund));
        app.post(&path, body).await.is_refused(409, "S4090");
    }
    assert_eq!(app.policy(&id).await["endorsements"], json!([]));
    assert_eq!(app.refunds_booked().await, (Rupees::ZERO, Rupees::ZERO));
}

#[tokio::test]
async fn a_claim_is_limited_by_the_sum_insured_on_the_day_of_its_event() {
    // D82: a loss before the cover reduction, reported after it
    let mut app = App::start().await;
    let ids = [app.has_policy().await, app.has_policy().await];
    app.set_clock("2026-12-05T12:00:00+05:30").await;
    for id in &ids {
        assert_eq!(stands(&app.endorses(id, less_cover()).await).1, "MADE");
    }
    app.set_clock("2026-12-10T12:00:00+05:30").await;
    for (id, day, is_approved) in [(&ids[0], "2026-12-05", true), (&ids[1], "2026-12-06", false)] {
        let claim = app.claims(with(death(id), "event_on", json!(day))).await;
        assert_eq!(claim.status, 201, "{}", claim.text);
        let claim = claim.json()["payload"]["claim_id"].as_str().expect("an id").parse().expect("an id");
        let verdict = |state, approved| ClaimVerdict { state, approved, refunds: None, reason: None };
        let decide = async |verdict| app.service.claims.decide(claim, Actor::Operator, verdict).await;
        decide(verdict(ClaimState::UnderAssessment, None)).await.expect("assessed");
        let all = verdict(ClaimState::Approved, Some(Rupees::whole(500_000)));
        // Premium was refunded for the days after the earlier loss.
        let all = ClaimVerdict { refunds: is_approved.then_some(RefundsAfter::Keep), ..all };
        assert_eq!(decide(all).await.is_ok(), is_approved, "{day}");
    }
}

#[tokio::test]
async fn null_and_blank_fields_of_another_kind_of_endorsement_count_as_absent() {
    // D13
    let app = App::start().await;
    let id = app.has_policy().await;
    let absent = with(with(contact(), "nominees", Value::Null), "sum_insured", json!(" "));
    assert_eq!(app.quotes_endorsement(&id, absent).await.status, 200);
    app.quotes_endorsement(&id, with(contact(), "sum_insured", json!("1")))
        .await
        .has_faults_on(&["sum_insured"]);
}

#[tokio::test]
async fn a_cancelled_policy_cannot_be_endorsed() {
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    assert_eq!(stands(&app.endorses(&id, less_cover()).await).1, "REQUESTED");
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
    // While a cancellation is requested, only the cancellation can be confirmed.
    let confirmed = app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await;
    assert!(matches!(confirmed, Err(Error::Refused(_))), "{confirmed:?}");
    app.quotes_endorsement(&id, contact()).await.is_refused(400, "S4000");
    app.service
        .cancellations
        .decide(id.parse().expect("an id"), None, Actor::Operator, true, None)
        .await
        .expect("cancelled");
    let shown = app.policy(&id).await;
    assert_eq!(
        (&shown["status"], &shown["endorsements"][0]["status"]),
        (&json!("CANCELLED"), &json!("REFUSED"))
    );
    assert!(app.service.policies.endorsements_open(10).await.expect("read").is_empty());
}

#[tokio::test]
async fn a_requested_cover_reduction_cannot_be_confirmed_after_a_claim_is_reported() {
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    assert_eq!(stands(&app.endorses(&id, less_cover()).await).1, "REQUESTED");
    assert_eq!(app.claims(death(&id)).await.status, 201);
    let confirmed = app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await;
    assert!(matches!(confirmed, Err(Error::NotEndorsable(_))), "{confirmed:?}");
    assert_eq!(app.policy(&id).await["sum_insured"], "500000.00");
    app.decides_endorsement(&id, EndorsementVerdict::Refuse(None)).await.expect("refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn simultaneous_endorsements_get_consecutive_numbers_and_refused_ones_change_nothing() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let (app, id) = (&app, &id);
    let answers = futures_util::future::join_all((0..16).map(|number: u32| async move {
        let body = json!({ "kind": "LOAN_ACCOUNT", "loan_account": format!("LN-{number}") });
        let answer = app.post(&format!("/v1/policies/{id}/endorsement"), body).await;
        assert!([200, 409].contains(&answer.status), "{}", answer.text);
        answer.status == 200
    }))
    .await;
    let made = answers.into_iter().filter(|made| *made).count();
    assert!(made >= 1);
    let shown = app.policy(id).await;
    let numbers: Vec<u64> = shown["endorsements"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["number"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=made as u64).collect::<Vec<_>>());
    assert_eq!(app.rows_of("replaced_certificates"), made as i64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_a_simultaneous_endorsement_and_cancellation_with_refunds_succeeds() {
    let app = App::start().await;
    for _ in 0..8 {
        let id = app.has_policy().await;
        let (endorse, cancel) = (
            with(less_cover(), "refund", json!("875.56")),
            json!({ "reason": "DUPLICATE", "refund": "2188.90" }),
        );
        let (endorse_at, cancel_at) =
            (format!("/v1/policies/{id}/endorsement"), format!("/v1/policies/{id}/cancellation"));
        let (endorsed, cancelled) =
            tokio::join!(app.post(&endorse_at, endorse), app.post(&cancel_at, cancel));
        // The cancellation's refund was quoted for the policy before the endorsement, so at most one of them
        // succeeds.
        let done = [&endorsed, &cancelled].iter().filter(|answer| answer.status == 200).count();
        assert_eq!(done, 1, "{} {}", endorsed.text, cancelled.text);
    }
}

#[tokio::test]
async fn an_endorsement_repeated_with_its_key_is_made_only_once_and_gets_the_same_answer() {
    // D36
    let app = App::start().await;
    let id = app.has_policy().await;
    let path = format!("/v1/policies/{id}/endorsement");
    let send = async |change: Value| {
        let request = app.request("POST", &path).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "once").json(&change)).await
    };
    let first = send(contact()).await;
    let again = send(contact()).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, Some("true")));
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(app.policy(&id).await["endorsements"].as_array().map(Vec::len), Some(1));
    send(other_nominee()).await.is_refused(422, "V4220");
}

#[tokio::test]
async fn an_endorsement_needs_its_scope_and_another_partners_policy_is_unknown() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let path = format!("/v1/policies/{id}/endorsement");
    let mut narrow = app.new_partner_with("Narrow", App::scopes(&["business.policy.read"]), 100).await;
    narrow.token = app.token_of(&narrow, &["business.policy.read"]).await;
    app.as_partner(&narrow, "POST", &path, Some(contact())).await.is_refused(403, "A4030");
    let other = app.new_partner("Other Lender").await;
    app.as_partner(&other, "POST", &path, Some(contact())).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn an_endorsement_of_a_health_policy_changes_its_members_and_its_certificate() {
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let id = app.policy_id_of(&proposal).await;
    let name = json!({ "kind": "NAME", "member": 1, "name": { "title": "MS", "first_name": "Aasha", "last_name": "Raao" } });
    assert_eq!(stands(&app.endorses(&id, contact()).await).1, "MADE");
    let asked = app.endorses(&id, name).await;
    if stands(&asked).1 == "REQUESTED" {
        app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await.expect("made");
    }
    assert_eq!(app.policy(&id).await["members"][0]["name"], "Aasha Raao");
    let shown = app.policy(&id).await;
    let address = shown["papers"]["certificate"].as_str().expect("an address").to_owned();
    let path = address.strip_prefix(&app.base).expect("on this server");
    let text = text_of(&app.get_without_bearer(path).await.bytes);
    for wanted in ["Aasha Raao", "Mysuru", "version 3"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[tokio::test]
async fn after_an_endorsement_the_status_page_accepts_only_the_corrected_date_of_birth() {
    // D60, D89
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let id = app.policy_id_of(&proposal).await;
    let change = json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "16/01/1992" });
    let asked = app.endorses(&id, change).await;
    if stands(&asked).1 == "REQUESTED" {
        app.decides_endorsement(&id, EndorsementVerdict::Confirm(None)).await.expect("made");
    }
    let (of, proposal) = (app.partner().id, proposal.parse().expect("an id"));
    let renews = async |day| {
        let born = BirthDate::kept(Date::constant(1992, 1, day));
        app.service.status_pages.renew(of, proposal, born).await.expect("judged")
    };
    assert_eq!(renews(15).await, AddressRenewal::Wrong);
    assert!(matches!(renews(16).await, AddressRenewal::Renewed(_)));
}

#[tokio::test]
async fn one_payment_reference_pays_only_one_of_several_refunds_of_a_policy() {
    // D69, D116
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    for cover in ["400000.00", "300000.00"] {
        let less = json!({ "kind": "COVER_REDUCTION", "sum_insured": cover });
        assert_eq!(stands(&app.endorses(&id, less).await).1, "MADE");
    }
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.json()["payload"]["refund"]["total"], "1295.37");
    let (policy, today) = (id.parse().expect("an id"), app.today());
    let pay = async |text: &str, paise: Option<i64>| {
        let amount = paise.map(Rupees::from_paise);
        app.service.refunds.paid(policy, reference(text), today, amount).await.map(|(refund, _)| refund)
    };
    let half = Rupees::from_paise(43_179);
    assert_eq!(pay("UTR-1", Some(43_179)).await.expect("the first"), half);
    assert_eq!(pay("UTR-1", Some(43_179)).await.expect("the same again"), half);
    let other = pay("UTR-1", Some(129_537)).await;
    assert!(
        matches!(&other, Err(Error::Conflict(why)) if why.detail.contains("UTR-1 already paid")),
        "{other:?}"
    );
    assert_eq!(app.refunds_booked().await.1, Rupees::from_paise(43_179 + 129_537), "two are still owed");
    assert_eq!(pay("UTR-2", None).await.expect("the second"), half);
    assert_eq!(pay("UTR-3", Some(129_537)).await.expect("the third"), Rupees::from_paise(129_537));
    assert_eq!(app.refunds_booked().await.1, Rupees::ZERO);
}

#[tokio::test]
async fn a_charge_paid_before_the_policys_end_is_accepted_even_if_it_is_recorded_later() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    app.set_clock("2027-11-18T12:00:00+05:30").await;
    let older = json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/01/1988" });
    assert_eq!(stands(&app.endorses(&id, older).await).1, "REQUESTED");
    app.set_clock("2027-11-20T12:00:00+05:30").await;
    assert_eq!(app.policy(&id).await["status"], "EXPIRED");
    let paid_on = |day: i8| {
        let reference = PaymentReference::from_text("UTR-9").expect("a reference");
        EndorsementVerdict::Confirm(Some(ChargePayment {
            reference,
            received_on: Date::constant(2027, 11, day),
        }))
    };
    let late = app.decides_endorsement(&id, paid_on(20)).await;
    assert!(matches!(late, Err(Error::Refused(_))), "{late:?}");
    app.decides_endorsement(&id, paid_on(19)).await.expect("made");
    assert_eq!(app.policy(&id).await["endorsements"][0]["status"], "MADE");
}

#[tokio::test]
async fn eight_simultaneous_endorsements_with_one_key_get_the_same_response() {
    // D36
    let app = App::start().await;
    let id = app.has_policy().await;
    let path = format!("/v1/policies/{id}/endorsement");
    let ask = || {
        let request = app.request("POST", &path).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "endorse-1").json(&contact()))
    };
    let answers = futures_util::future::join_all((0..8).map(|_| ask())).await;
    for answer in &answers {
        assert_eq!((answer.status, &answer.text), (200, &answers[0].text));
    }
}

#[tokio::test]
async fn each_endorsement_is_a_bordereau_row_of_the_month_in_which_it_was_made() {
    // D85, D87
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    for change in [contact(), less_cover()] {
        assert_eq!(stands(&app.endorses(&id, change).await).1, "MADE");
    }
    app.set_clock("2026-12-02T12:00:00+05:30").await;
    app.makes_statements("2026-11").await;
    assert_eq!(stands(&app.endorses(&id, younger()).await).1, "MADE");
    app.set_clock("2027-01-01T00:20:00+05:30").await;
    let november = app.makes_statements("2026-11").await;
    let [bordereau] = of_kind(&november, StatementKind::Premium)[..] else { panic!("{november:?}") };
    let rows = app.statement_rows(bordereau).await;
    assert_eq!(rows.column("transaction"), ["NEW", "ENDORSE", "ENDORSE"]);
    assert_eq!(rows.column("total"), ["2188.90", "0.00", "-863.58"]);
    assert_eq!(rows.column("sum_assured"), ["500000.00", "500000.00", "300000.00"]);
    assert_eq!(rows.column("reason"), ["", "CONTACT", "COVER_REDUCTION"]);
    let ids: Vec<String> = rows.column("row_id").iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(ids[1..], [format!("ENDORSE-{id}-1"), format!("ENDORSE-{id}-2")]);
    let december = app.makes_statements("2026-12").await;
    let [later] = of_kind(&december, StatementKind::Premium)[..] else { panic!("{december:?}") };
    let rows = app.statement_rows(later).await;
    // 2.84 x 300 instead of 3.71 x 300: 261.00 less, with 18 % tax.
    assert_eq!(rows.column("total"), ["-307.98"]);
    assert_eq!(rows.column("row_id"), [format!("ENDORSE-{id}-3")]);
    // The insurer answers each row.
    let line = |line, row_id: &str| AnswerLine {
        line,
        row_id: row_id.to_owned(),
        accepted: true,
        number: Some(PolicyNumber::kept("K/1".into())),
        reason: None,
    };
    let lines = [line(1, &ids[0]), line(2, &ids[1]), line(3, &ids[2])];
    let answered = app.service.statements.answer(&bordereau.number, &lines).await.expect("answered");
    assert_eq!((answered.accepted, answered.numbered), (3, 1));
    let elsewhere =
        app.service.statements.answer(&bordereau.number, &[line(1, &format!("ENDORSE-{id}-3"))]).await;
    assert!(matches!(elsewhere, Err(Error::Invalid(_))), "{elsewhere:?}");
}
