//! `/v1/webhooks/endpoints`: deliveries of events to partners' servers (D96).

use std::time::Duration;

use domain::webhook::{DeliveryState, EndpointState};
use serde_json::{Value, json};

use crate::support::App;
use crate::support::receiver::Receiver;

const ENDPOINTS: &str = "/v1/webhooks/endpoints";

impl App {
    /// An endpoint for some types of events. Returns its path and its secret.
    async fn has_endpoint(&self, to: &Receiver, types: &[&str]) -> (String, String) {
        let made = self.post(ENDPOINTS, json!({ "url": to.url(), "types": types })).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let made = made.json()["payload"].take();
        let path = format!("{ENDPOINTS}/{}", made["endpoint_id"].as_str().expect("an id"));
        (path, made["secret"].as_str().expect("a secret").to_owned())
    }

    /// The newest delivery to an endpoint, once it has this status and this number of attempts.
    async fn newest_delivery(&self, path: &str, status: &str, attempts: usize) -> Value {
        let look = async || {
            let page = self.get(&format!("{path}/deliveries?limit=1")).await.json();
            let newest = page["deliveries"][0].clone();
            let made = newest["attempts"].as_array().map_or(0, Vec::len);
            (newest["status"] == status && made == attempts).then_some(newest)
        };
        self.eventually(&format!("a delivery that is {status}"), look).await
    }

    async fn endpoint(&self, path: &str) -> Value {
        self.get(path).await.json()["payload"].take()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signed_event_is_sent_to_exactly_the_endpoints_that_subscribe_to_its_type() {
    let app = App::start().await;
    let (all, some, none) =
        (Receiver::answering(204).await, Receiver::answering(200).await, Receiver::answering(200).await);
    let (path, secret) = app.has_endpoint(&all, &["*"]).await;
    let (_, other_secret) = app.has_endpoint(&some, &["policy.issued", "claim.paid"]).await;
    app.has_endpoint(&none, &["claim.paid"]).await;
    let policy = app.has_policy().await;
    let came = all.has(3).await;
    let mut types = all.types();
    types.sort();
    assert_eq!(types, ["policy.issued", "proposal.completed", "proposal.submitted"]);
    let issued = some.has(1).await.remove(0);
    assert_eq!(
        (some.types(), issued.json()["data"]["id"].as_str()),
        (vec!["policy.issued".to_owned()], Some(policy.as_str()))
    );
    assert!(
        came.iter().all(|message| message.is_signed_with(&secret) && !message.is_signed_with(&other_secret))
    );
    assert!(issued.is_signed_with(&other_secret));
    let event = issued.json();
    assert_eq!(
        (issued.header("webhook-id"), issued.header("content-type")),
        (event["id"].as_str().expect("an id"), "application/json")
    );
    assert_eq!(
        app.get(&format!("/v1/events/{}", issued.header("webhook-id"))).await.json()["payload"],
        event
    );
    assert!(issued.header("user-agent").starts_with("covernote/"));
    let delivered = app.newest_delivery(&path, "delivered", 1).await;
    assert_eq!(
        (&delivered["attempts"][0]["status_code"], &delivered["next_attempt_at"]),
        (&json!(204), &Value::Null)
    );
    assert_eq!(none.types(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_delivery_is_sent_again_under_the_same_id_until_it_succeeds() {
    let app = App::start().await;
    let receiver =
        Receiver::by(|nth| if nth < 2 { (500, "", b"not now".to_vec()) } else { (200, "", Vec::new()) })
            .await;
    let (path, secret) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    app.has_proposal("PENDING").await;
    let waits = app.newest_delivery(&path, "pending", 1).await;
    assert_eq!(
        (&waits["attempts"][0]["status_code"], &waits["attempts"][0]["answer"]),
        (&json!(500), &json!("not now"))
    );
    assert_eq!(app.endpoint(&path).await["failures"], 1);
    app.clock.advance(Duration::from_secs(7));
    app.newest_delivery(&path, "pending", 2).await;
    app.clock.advance(Duration::from_mins(7));
    let done = app.newest_delivery(&path, "delivered", 3).await;
    assert_eq!(done["attempts"][2]["status_code"], 200);
    let came = receiver.messages();
    assert!(
        came.iter()
            .all(|one| one.header("webhook-id") == came[0].header("webhook-id") && one.body == came[0].body)
    );
    assert!(came.iter().all(|one| one.is_signed_with(&secret)), "each at its own time");
    assert_ne!(came[0].header("webhook-timestamp"), came[2].header("webhook-timestamp"));
    let endpoint = app.endpoint(&path).await;
    assert_eq!((&endpoint["failures"], &endpoint["failing_since"]), (&json!(0), &Value::Null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_fails_after_ten_attempts_but_its_event_is_kept() {
    let app = App::start().await;
    let receiver = Receiver::answering(404).await;
    let (path, _) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    app.has_proposal("PENDING").await;
    // The retry schedule is longer than a token's lifetime.
    let (of, endpoint) = (app.partner().id, path.rsplit('/').next().expect("an id").parse().expect("an id"));
    let newest = async || {
        let page = app.service.webhooks.deliveries(of, endpoint, None, None, 1).await;
        page.expect("readable").deliveries.remove(0)
    };
    for attempt in 1..=10 {
        let made = async || (newest().await.attempts.len() == attempt).then_some(());
        app.eventually("another attempt", made).await;
        app.clock.advance(Duration::from_hours(30));
    }
    let failed = newest().await;
    assert_eq!((failed.state, failed.due_at, failed.tries), (DeliveryState::Failed, None, 10));
    let event =
        app.service.events.find(of, failed.event).await.expect("nothing is lost with the last attempt");
    assert_eq!(event.sequence, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_is_not_retried_before_the_time_in_the_retry_after_header() {
    let app = App::start().await;
    let receiver = Receiver::by(|_| (503, "retry-after: 120\r\n", Vec::new())).await;
    let (path, _) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    app.has_proposal("PENDING").await;
    let waits = app.newest_delivery(&path, "pending", 1).await;
    assert_eq!(waits["next_attempt_at"], "2026-11-20T04:32:00Z");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_answers_410_is_disabled_and_other_endpoints_get_an_event() {
    let app = App::start().await;
    let (gone, other) = (Receiver::answering(410).await, Receiver::answering(200).await);
    let (path, _) = app.has_endpoint(&gone, &["proposal.submitted"]).await;
    app.has_endpoint(&other, &["endpoint.disabled"]).await;
    app.has_proposal("PENDING").await;
    let told = other.has(1).await.remove(0).json();
    assert_eq!((&told["type"], &told["data"]["disabled_by"]), (&json!("endpoint.disabled"), &json!("gone")));
    let endpoint = app.endpoint(&path).await;
    assert_eq!((&endpoint["status"], &endpoint["disabled_by"]), (&json!("disabled"), &json!("gone")));
    app.has_proposal("PENDING").await;
    app.post(&format!("{path}/ping"), json!({})).await.is_refused(409, "S4090");
    assert_eq!(gone.messages().len(), 1, "nothing is sent to it any more");
    // Enabled again, the endpoint gets waiting deliveries, and missed events after a request to recover them.
    assert_eq!(app.patch(&path, json!({ "status": "enabled" })).await.status, 200);
    let recovered = app.post(&format!("{path}/recover"), json!({ "since": "2026-11-20T00:00:00Z" })).await;
    assert_eq!((recovered.status, &recovered.json()["payload"]["deliveries"]), (202, &json!(1)));
    gone.has(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_accepts_nothing_for_five_days_is_disabled() {
    let app = App::start().await;
    let receiver = Receiver::answering(500).await;
    let (path, _) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    for _ in 0..3 {
        app.has_proposal("PENDING").await;
    }
    for _ in 0..12 {
        let before = receiver.messages().len();
        let page = app.service.webhooks.list(app.partner().id).await.expect("readable");
        if page[0].state == EndpointState::Disabled {
            break;
        }
        receiver.has(before.max(1)).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
        app.clock.advance(Duration::from_hours(30));
    }
    let endpoint = app.service.webhooks.list(app.partner().id).await.expect("readable").remove(0);
    assert_eq!(endpoint.disabled.map(|(by, _)| by.word()), Some("failing"), "{:?} {path}", endpoint.health);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_endpoint_does_not_delay_deliveries_to_another_endpoint() {
    let app = App::start().await;
    let (slow, good) = (Receiver::silent().await, Receiver::answering(200).await);
    app.has_endpoint(&slow, &["*"]).await;
    app.has_endpoint(&good, &["*"]).await;
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        app.has_proposal("PENDING").await;
    }
    good.has(20).await;
    assert!(begun.elapsed() < Duration::from_secs(15), "before the slow one has timed out once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_endpoints_of_a_partner_delay_neither_other_partners_nor_its_own_fast_endpoint() {
    // D111
    let mut app = App::start().await;
    let late = Receiver::late(Duration::from_secs(14)).await;
    let hog = app.new_test_partner().await;
    let victim = app.asks_as(hog);
    // Each endpoint has its own lane, with more events than can be sent at once.
    for number in 0..9 {
        let url = format!("{}/{number}", late.url());
        let made = app.post(ENDPOINTS, json!({ "url": url, "types": ["*"] })).await;
        assert_eq!(made.status, 201, "{}", made.text);
    }
    for _ in 0..20 {
        app.has_proposal("PENDING").await;
    }
    // As many attempts are in progress as the partner may have.
    let underway = async || {
        let before = late.messages().len();
        tokio::time::sleep(Duration::from_millis(500)).await;
        (before > 0 && late.messages().len() == before).then_some(before)
    };
    let underway = app.eventually("their share is underway", underway).await;
    assert!(underway <= 64, "{underway} attempts of one partner at once");
    // The partner's fast server still gets its events.
    let good = Receiver::answering(200).await;
    app.has_endpoint(&good, &["*"]).await;
    let began = std::time::Instant::now();
    app.has_proposal("PENDING").await;
    good.has(1).await;
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
    app.asks_as(victim);
    let prompt = Receiver::answering(200).await;
    app.has_endpoint(&prompt, &["*"]).await;
    let began = std::time::Instant::now();
    app.has_proposal("PENDING").await;
    prompt.has(1).await;
    assert!(
        began.elapsed() < Duration::from_secs(7),
        "before any late one was answered: {:?}",
        began.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_can_be_pinged_at_most_ten_times_a_minute() {
    let mut app = App::start().await;
    let (path, _) = app.has_endpoint(&Receiver::answering(200).await, &["*"]).await;
    let ping = async |app: &App| app.post(&format!("{path}/ping"), json!({})).await;
    let at_once = futures_util::future::join_all((0..16).map(|_| ping(&app))).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 202).count(), 10);
    let refused = at_once.iter().find(|answer| answer.status != 202).expect("one more");
    refused.is_refused(429, "A4290");
    assert!(refused.text.contains("10 pings a minute"), "{}", refused.text);
    let wait: u64 = refused.header("retry-after").and_then(|wait| wait.parse().ok()).expect("seconds");
    assert!((1..=61).contains(&wait), "{wait}");
    app.set_clock("2026-11-20T10:05:00+05:30").await;
    assert_eq!(ping(&app).await.status, 202);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_not_followed() {
    let app = App::start().await;
    let secret_place = Receiver::answering(200).await;
    let location: &'static str = Box::leak(format!("location: {}\r\n", secret_place.url()).into_boxed_str());
    let receiver = Receiver::by(move |_| (302, location, Vec::new())).await;
    let (path, _) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    app.has_proposal("PENDING").await;
    let failed = app.newest_delivery(&path, "pending", 1).await;
    assert_eq!(failed["attempts"][0]["status_code"], 302);
    assert_eq!(secret_place.messages().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_rotation_both_secrets_sign_for_a_day_and_then_the_new_one_alone() {
    let mut app = App::start().await;
    let receiver = Receiver::answering(200).await;
    let (path, first) = app.has_endpoint(&receiver, &["endpoint.ping"]).await;
    let rotated = app.post(&format!("{path}/rotate"), json!({})).await;
    let second = rotated.json()["payload"]["secret"].as_str().expect("a secret").to_owned();
    assert_ne!(first, second);
    assert_eq!(app.post(&format!("{path}/ping"), json!({})).await.status, 202);
    let both = receiver.has(1).await.remove(0);
    assert!(
        both.is_signed_with(&first) && both.is_signed_with(&second),
        "{}",
        both.header("webhook-signature")
    );
    app.set_clock("2026-11-21T10:00:00+05:30").await;
    assert_eq!(app.post(&format!("{path}/ping"), json!({})).await.status, 202);
    let later = receiver.has(2).await.remove(1);
    assert!(!later.is_signed_with(&first) && later.is_signed_with(&second));
    let third = app.post(&format!("{path}/rotate"), json!({ "overlap_hours": 0 })).await;
    let third = third.json()["payload"]["secret"].as_str().expect("a secret").to_owned();
    app.post(&format!("{path}/ping"), json!({})).await;
    let last = receiver.has(3).await.remove(2);
    assert!(!last.is_signed_with(&second) && last.is_signed_with(&third), "revoked at once");
    app.post(&format!("{path}/rotate"), json!({ "overlap_hours": 169 }))
        .await
        .has_faults_on(&["overlap_hours"]);
    assert!(app.get(&path).await.json()["payload"].get("secret").is_none(), "it is shown once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partner_can_retry_a_delivery_and_replay_an_event() {
    let app = App::start().await;
    let receiver = Receiver::answering(200).await;
    let (path, _) = app.has_endpoint(&receiver, &["proposal.submitted"]).await;
    app.has_proposal("PENDING").await;
    let done = app.newest_delivery(&path, "delivered", 1).await;
    let event = done["event_id"].as_str().expect("an id").to_owned();
    let again = app.post(&format!("{path}/deliveries/{event}/retry"), json!({})).await;
    assert_eq!((again.status, &again.json()["payload"]["status"]), (202, &json!("pending")));
    receiver.has(2).await;
    app.newest_delivery(&path, "delivered", 2).await;
    let replayed = app.post(&format!("/v1/events/{event}/replay"), json!({})).await;
    assert_eq!((replayed.status, &replayed.json()["payload"]["endpoints"]), (202, &json!(1)));
    receiver.has(3).await;
    let unknown = "evt_01m5vvw3xreqg9aaa1afd2xg99";
    app.post(&format!("{path}/deliveries/{unknown}/retry"), json!({})).await.is_refused(404, "R4040");
    app.post(&format!("/v1/events/{unknown}/replay"), json!({})).await.is_refused(404, "R4040");
    app.post(&format!("{path}/recover"), json!({ "since": "2026-10-01T00:00:00Z" }))
        .await
        .has_faults_on(&["since"]);
}

#[tokio::test]
async fn the_url_and_description_of_an_endpoint_may_not_have_control_characters() {
    // The operator's commands print both texts.
    let app = App::start().await;
    for bad in ["a\u{1b}[2J", "a\nb", "a\u{2028}b", "abc\u{202e}def", "a\u{7}"] {
        for (field, body) in [
            ("url", json!({ "url": format!("https://partner.example/{bad}"), "types": ["*"] })),
            (
                "description",
                json!({ "url": "https://partner.example/a", "types": ["*"], "description": bad }),
            ),
        ] {
            app.post("/v1/webhooks/endpoints", body).await.has_faults_on(&[field]);
        }
    }
}

#[tokio::test]
async fn internal_or_invalid_endpoint_addresses_are_refused_and_every_fault_is_reported() {
    let app = App::start().await;
    for url in [
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706434/",
        "https://0x7f.2/",
        "http://8.8.8.8/",
        "https://user:secret@partner.example/",
        "https://partner.example:22/",
        "https://partner.example/#hooks",
        "ftp://partner.example/",
        "partner.example",
    ] {
        let answer = app.post(ENDPOINTS, json!({ "url": url, "types": ["*"] })).await;
        answer.has_faults_on(&["url"]);
    }
    app.post(ENDPOINTS, json!({ "types": ["*", "policy.issued"] })).await.has_faults_on(&["types", "url"]);
    app.post(ENDPOINTS, json!({ "url": "https://partner.example/", "types": ["policy.sold"] }))
        .await
        .has_faults_on(&["types[0]"]);
    app.post(ENDPOINTS, json!({ "url": "https://partner.example/", "types": [] }))
        .await
        .has_faults_on(&["types"]);
    app.post(ENDPOINTS, json!({ "url": "https://169.254.169.254/", "types": ["policy.sold"] }))
        .await
        .has_faults_on(&["types[0]", "url"]);
    assert_eq!(app.get(ENDPOINTS).await.json()["endpoints"], json!([]));
}

#[tokio::test]
async fn a_partner_may_have_at_most_ten_endpoints_with_different_addresses() {
    let mut app = App::start().await;
    let add = async |app: &App, number: u8| {
        let body = json!({ "url": format!("https://partner.example/{number}"), "types": ["*"], "description": "ours" });
        app.post(ENDPOINTS, body).await
    };
    let first = add(&app, 0).await.json()["payload"].take();
    add(&app, 0).await.is_refused(409, "S4090");
    for number in 1..10 {
        assert_eq!(add(&app, number).await.status, 201);
    }
    add(&app, 10).await.is_refused(409, "S4090");
    let path = format!("{ENDPOINTS}/{}", first["endpoint_id"].as_str().expect("an id"));
    let mut shown = first.clone();
    shown.as_object_mut().expect("an object").remove("secret");
    assert_eq!(app.endpoint(&path).await, shown);
    let other = app.new_partner("Another Lender").await;
    let own = app.asks_as(other);
    for answer in [
        app.get(&path).await,
        app.patch(&path, json!({ "status": "disabled" })).await,
        app.send(app.request("DELETE", &path).bearer_auth(&app.partner().token)).await,
        app.post(&format!("{path}/ping"), json!({})).await,
        app.get(&format!("{path}/deliveries")).await,
    ] {
        answer.is_refused(404, "R4040");
    }
    app.asks_as(own);
    let removed = app.send(app.request("DELETE", &path).bearer_auth(&app.partner().token)).await;
    assert_eq!(removed.status, 200);
    app.get(&path).await.is_refused(404, "R4040");
    assert_eq!(add(&app, 10).await.status, 201);
    let changed = app
        .patch(
            &format!("{ENDPOINTS}/{}", newest(&app).await),
            json!({ "types": ["claim.paid"], "description": "" }),
        )
        .await;
    assert_eq!(changed.json()["payload"]["types"], json!(["claim.paid"]));
}

async fn newest(app: &App) -> String {
    let all = app.get(ENDPOINTS).await.json();
    let last = all["endpoints"].as_array().and_then(|all| all.last()).expect("one");
    last["endpoint_id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_can_be_filtered_by_whether_every_endpoint_received_them() {
    let app = App::start().await;
    let (takes, refuses) = (Receiver::answering(204).await, Receiver::answering(500).await);
    app.has_endpoint(&takes, &["*"]).await;
    let (path, _) = app.has_endpoint(&refuses, &["policy.issued"]).await;
    app.has_policy().await;
    takes.has(3).await;
    app.newest_delivery(&path, "pending", 1).await;
    let types = async |query: &str| -> Vec<String> {
        let page = app.get(&format!("/v1/events{query}")).await.json();
        let events = page["events"].as_array().expect("a list").iter();
        events.map(|event| event["type"].as_str().expect("a type").to_owned()).collect()
    };
    let look = async || (types("?delivered=false").await == ["policy.issued"]).then_some(());
    app.eventually("that all but one were taken", look).await;
    assert_eq!(types("?delivered=true").await, ["proposal.completed", "proposal.submitted"]);
    assert_eq!(types("?delivered=false&type=proposal.completed").await, [""; 0]);
    app.get("/v1/events?delivered=perhaps").await.has_faults_on(&["delivered"]);
}
