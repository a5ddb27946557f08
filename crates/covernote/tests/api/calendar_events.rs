//! Events that no request causes: of the calendar, of a customer who leaves, of a new catalogue (D98).

use domain::event::EventType;
use rating::Files;
use serde_json::json;

use crate::support::{App, Setup};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_create_each_calendar_event_of_a_policy_only_once() {
    let mut app = Setup::health().start().await;
    let policy = app.has_health_policy().await;
    assert_eq!(app.service.calendar.tell_all().await, 0, "the calendar begins");
    let other = app.another_process(&Setup::health().catalogue).await;
    for (day, told) in [
        ("2027-10-04", vec![]),
        ("2027-10-05", vec!["policy.renewal_due"]),
        ("2027-11-19", vec!["policy.renewal_due"; 4]),
        ("2027-11-20", [vec!["policy.renewal_due"; 4], vec!["policy.expired"]].concat()),
        ("2028-01-01", [vec!["policy.renewal_due"; 4], vec!["policy.expired", "policy.lapsed"]].concat()),
    ] {
        app.set_clock(&format!("{day}T12:00:00+05:30")).await;
        let _both = tokio::join!(app.service.calendar.tell_all(), other.calendar.tell_all());
        assert_eq!(app.events_since_issue(&policy).await, told, "{day}");
    }
}

impl App {
    /// Types of the policy's events after its issue.
    async fn events_since_issue(&self, policy: &str) -> Vec<String> {
        let id: domain::id::PolicyId = policy.parse().expect("an id");
        let all = self.kept_events(self.partner().id).await;
        let of_it =
            all.iter().filter(|event| event.subject == id.uuid() && event.kind != EventType::PolicyIssued);
        of_it.map(|event| event.kind.word().to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_policy_gets_no_calendar_events() {
    let mut app = Setup::health().start().await;
    let policy = app.has_health_policy().await;
    app.service.calendar.tell_all().await;
    assert_eq!(app.cancels(&policy, "CUSTOMER").await.status, 200);
    app.set_clock("2028-02-01T12:00:00+05:30").await;
    assert_eq!(app.service.calendar.tell_all().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partner_gets_an_event_when_a_journey_leads_to_a_proposal_or_expires() {
    let mut app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let applied = app.get("/v1/events?type=journey.applied").await.json();
    let data = &applied["events"][0]["data"];
    assert_eq!((&data["proposal_id"], &data["href"]), (&json!(proposal), &json!(null)));
    let left = crate::support::customer::Customer::sees_plans(&app).await;
    drop(left);
    app.set_clock("2026-11-22T12:00:00+05:30").await;
    app.service.journeys.forget_old().await.expect("removed");
    let expired = app.get("/v1/events?type=journey.expired").await.json();
    let found = expired["events"].as_array().expect("a list");
    assert_eq!(found.len(), 1, "the one that applied has ended there: {expired:#}");
    assert!(found[0]["data"]["quote_id"].is_string() && found[0]["data"]["proposal_id"].is_null());
    let subject = found[0]["data"]["id"].as_str().expect("an id");
    assert_eq!(app.events_of(subject).await, ["journey.expired"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_catalogue_creates_one_event_for_the_partner_even_if_an_old_process_still_runs() {
    let app = App::start().await;
    app.service.calendar.tell_all().await;
    app.service.calendar.tell_all().await;
    let told = async || app.get("/v1/events?type=catalogue.changed").await.json()["events"].take();
    assert_eq!(told().await, json!([]));
    app.clock.advance(std::time::Duration::from_secs(1));
    let renamed = Setup::with_edited("insurers/kalpanik/loan-suraksha.toml", |text| {
        let name =
            text.lines().filter(|line| line.starts_with("name = ")).nth(1).expect("a variant").to_owned();
        text.replace(&name, "name = \"Another name\"")
    });
    app.runs_catalogue(&renamed.catalogue).await;
    let old = app.another_process(&Files::sample()).await;
    app.service.calendar.tell_all().await;
    // A process that still runs the old catalogue must not report that everything is on sale again.
    old.calendar.tell_all().await;
    app.service.calendar.tell_all().await;
    let told = told().await;
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told:#}");
    assert_eq!(told[0]["data"]["object"], "catalogue");
}
