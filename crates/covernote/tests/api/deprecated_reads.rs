//! Rules of all four deprecated reads: who may use them, and how answers announce the deprecation
//! (interface §10 to §13, Versioning; D2, D3, D9, D10, D43).

use serde_json::json;
use service::partner::PartnerChange;

use crate::access::is_unauthenticated;
use crate::support::bodies::{imported_policy, imported_proposal};
use crate::support::{Answer, App, Partner};

const PROPOSALS: &str = "/v1/business/health/proposals";
const POLICIES: &str = "/v1/business/health/policies";
const UNKNOWN_PROPOSAL: &str = "/v1/business/health/proposals/pro_01m5vvw3xreqg9aaa1afd2xg99";
const UNKNOWN_POLICY: &str = "/v1/business/health/policies/pol_01m5vvw3xreqg9aaa1afd2xg99";

/// Paths of the reads whose answers have no record.
const READS: [&str; 4] = [PROPOSALS, UNKNOWN_PROPOSAL, POLICIES, UNKNOWN_POLICY];

/// Reads of records that exist, each with the narrowest scope that it accepts.
async fn reads_of_what_there_is(app: &App) -> Vec<(String, &'static str)> {
    let proposal = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    let policy = app.imports_policies(vec![imported_policy()]).await.remove(0);
    vec![
        (format!("{PROPOSALS}?end_date=2026-11-20"), "business.proposal.read"),
        (format!("{PROPOSALS}/{proposal}"), "business.proposal.read"),
        (POLICIES.to_owned(), "business"),
        (format!("{POLICIES}/{policy}"), "business"),
        (format!("{POLICIES}/IGI/2026/00002"), "business"),
    ]
}

/// Checks that the answer says that the read is deprecated, since when, and where this is documented.
#[track_caller]
fn says_so(app: &App, answer: &Answer, what: &str) {
    // RFC 9745: a structured date. 20 November 2026 begins in Kolkata at this second.
    assert_eq!(answer.header("deprecation"), Some("@1795113000"), "{what}");
    let link = format!(r#"<{}/deprecations>; rel="deprecation"; type="text/html""#, app.base);
    let links: Vec<&str> =
        answer.headers.get_all("link").iter().map(|link| link.to_str().expect("text")).collect();
    assert!(links.contains(&link.as_str()), "{what}: {links:?}");
    let path = what.split('?').next().expect("a path").replace("/business/health", "");
    // The successor takes ids only, no policy numbers.
    let path = if path.contains("/policies/IGI") { "/v1/policies".to_owned() } else { path };
    assert!(
        links.contains(&format!(r#"<{}{path}>; rel="successor-version""#, app.base).as_str()),
        "{what}: {links:?}"
    );
    // A refusal keeps the link to the page of its code (D99).
    let helps = links.iter().filter(|link| link.ends_with(r#"rel="help""#)).count();
    assert_eq!(helps > 0, answer.status >= 400, "{what}: {links:?}");
}

fn change(legacy_reads: bool) -> PartnerChange {
    PartnerChange { legacy_reads: Some(legacy_reads), ..PartnerChange::default() }
}

#[track_caller]
fn is_for_existing_users_alone(answer: &Answer, path: &str) {
    answer.is_refused(403, "A4030");
    let object = answer.json();
    assert_eq!((&object["title"], &object["instance"]), (&json!("Insufficient Permission"), &json!(path)));
    let detail = object["detail"].as_str().expect("text");
    assert!(detail.contains("deprecated") && detail.contains("existing users"), "{detail}");
    assert_eq!(answer.header("www-authenticate"), None, "no scope would help");
}

#[tokio::test]
async fn the_expected_deprecation_date_is_20_november_2026_in_kolkata() {
    // D9
    let named = domain::date::Timestamp::from_second(1_795_113_000).expect("in range");
    assert_eq!(named, "2026-11-20T00:00:00+05:30".parse().expect("an instant"));
}

#[tokio::test]
async fn every_answer_of_a_deprecated_read_announces_the_deprecation_and_links_its_document() {
    // D9
    let app = App::start().await;
    for (path, _) in reads_of_what_there_is(&app).await {
        let answer = app.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        says_so(&app, &answer, &path);
        let head = app.send(app.request("HEAD", &path).bearer_auth(&app.partner().token)).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        says_so(&app, &head, &path);
    }
    let narrow = app.token_of(app.partner(), &["business.session"]).await;
    let stranger = app.new_partner("New Lender").await;
    app.change(&stranger, change(false)).await;
    for path in READS {
        for (answer, status) in [
            (app.get(&format!("{path}?limit=0")).await, if path.contains("_01m5") { 404 } else { 400 }),
            (app.get_without_bearer(path).await, 401),
            (app.send(app.request("GET", path).bearer_auth("nonsense")).await, 401),
            (app.send(app.request("GET", path).bearer_auth(&narrow)).await, 403),
            (app.as_partner(&stranger, "GET", path, None).await, 403),
            (app.as_partner(app.partner(), "POST", path, Some(json!({}))).await, 405),
        ] {
            assert_eq!(answer.status, status, "{path}: {}", answer.text);
            says_so(&app, &answer, path);
        }
    }
}

#[tokio::test]
async fn no_endpoint_except_the_deprecated_reads_announces_a_deprecation() {
    // D9
    let app = App::start().await;
    app.has_health_quote(crate::support::bodies::recommendation()).await;
    for path in [
        "/v1/business/health/quotes?start_date=2026-11-20",
        "/v1/business/health/quotes",
        "/v1/business/health/quotes/quo_01m5vvw3xreqg9aaa1afd2xg99",
        "/v1/business/health/recommendation/quo_01m5vvw3xreqg9aaa1afd2xg99",
        "/v1/embedded/proposal/pro_01m5vvw3xreqg9aaa1afd2xg99/status",
        "/v1/business/health/nothing",
        "/deprecations",
        "/openapi.json",
        "/livez",
    ] {
        let answer = app.get(path).await;
        // A refusal links to the page of its code, with another relation (D99).
        let link = answer.header("link").unwrap_or_default();
        assert_eq!(answer.header("deprecation"), None, "{path}");
        assert!(!link.contains("deprecation"), "{path}: {link}");
    }
}

#[tokio::test]
async fn the_public_deprecations_page_names_all_four_deprecated_reads() {
    // D9, D10
    let app = App::start().await;
    let page = app.get_without_bearer("/deprecations").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    for read in [
        "GET /v1/business/health/proposals<",
        "GET /v1/business/health/proposals/{proposal_id}<",
        "GET /v1/business/health/policies<",
        "GET /v1/business/health/policies/{policy_id}<",
    ] {
        assert!(page.text.contains(read), "{read} in {}", page.text);
    }
    assert!(page.text.contains("closed to new integrations"), "{}", page.text);
}

#[tokio::test]
async fn the_openapi_document_marks_only_the_four_deprecated_reads_as_deprecated() {
    // D9
    let app = App::start().await;
    let document = app.get_without_bearer("/openapi.json").await.json();
    let mut marked = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let is_marked = operation["deprecated"] == true;
            if is_marked {
                marked.push((method.as_str(), path.as_str()));
            }
            for (status, response) in operation["responses"].as_object().expect("responses") {
                for header in ["Deprecation", "Link"] {
                    let described = response["headers"].get(header).is_some();
                    assert_eq!(described, is_marked, "{header} of {method} {path} {status}");
                }
            }
        }
    }
    marked.sort_unstable();
    assert_eq!(
        marked,
        [
            ("get", POLICIES),
            ("get", "/v1/business/health/policies/{policy_id}"),
            ("get", PROPOSALS),
            ("get", "/v1/business/health/proposals/{proposal_id}"),
        ]
    );
}

#[tokio::test]
async fn only_existing_users_may_use_the_deprecated_reads() {
    // interface, Versioning; D9
    let app = App::start().await;
    let partner = app.partner().clone();
    let reads = reads_of_what_there_is(&app).await;
    app.change(&partner, change(false)).await;
    for (path, scope) in &reads {
        let bare = path.split('?').next().expect("a path");
        // No scope helps, even if it would be sufficient for the read.
        for scope in [scope, "business"] {
            let token = app.token_of(&partner, &[scope]).await;
            let caller = Partner { token, ..partner.clone() };
            is_for_existing_users_alone(&app.as_partner(&caller, "GET", path, None).await, bare);
        }
    }
    // If the partner gets its mark back, the same token can read again.
    app.change(&partner, change(true)).await;
    for (path, _) in &reads {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_partner_that_is_no_existing_user_is_refused_before_its_query_is_checked() {
    // D9, D43: 401, then 403, then V4000, then 404
    let app = App::start().await;
    let stranger = app.new_partner("New Lender").await;
    app.change(&stranger, change(false)).await;
    let reads = reads_of_what_there_is(&app).await;
    for path in READS.iter().copied().chain(reads.iter().map(|(path, _)| path.as_str())) {
        for query in ["limit=0", "next=x&prev=y", "start_date=x"] {
            let bare = path.split('?').next().expect("a path");
            let answer = app.as_partner(&stranger, "GET", &format!("{bare}?{query}"), None).await;
            is_for_existing_users_alone(&answer, bare);
        }
    }
    app.change(&stranger, PartnerChange { enabled: Some(false), ..PartnerChange::default() }).await;
    for path in READS {
        is_unauthenticated(&app.as_partner(&stranger, "GET", path, None).await);
    }
}

#[tokio::test]
async fn each_deprecated_read_accepts_only_its_own_scope_or_business() {
    // D2: policies have no narrower one
    let app = App::start().await;
    for (path, needed) in reads_of_what_there_is(&app).await {
        for scope in [
            "business",
            "business.session",
            "business.quote.read",
            "business.quote.write",
            "business.proposal.read",
            "business.proposal.write",
        ] {
            let token = app.token_of(app.partner(), &[scope]).await;
            let answer = app.send(app.request("GET", &path).bearer_auth(&token)).await;
            if scope == needed || scope == "business" {
                assert_eq!(answer.status, 200, "{scope} at {path}: {}", answer.text);
            } else {
                answer.is_refused(403, "A4030");
                let wanted = format!(r#"Bearer error="insufficient_scope", scope="{needed}""#);
                assert_eq!(answer.header("www-authenticate"), Some(wanted.as_str()), "{scope} at {path}");
            }
        }
    }
}

#[tokio::test]
async fn records_of_another_partner_are_answered_like_unknown_ones() {
    // D3
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let proposal = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    let policy = app.imports_policies(vec![imported_policy()]).await.remove(0);
    for (foreign, unknown) in [
        (format!("{PROPOSALS}/{proposal}"), UNKNOWN_PROPOSAL.to_owned()),
        (format!("{POLICIES}/{policy}"), UNKNOWN_POLICY.to_owned()),
        (format!("{POLICIES}/IGI/2026/00002"), format!("{POLICIES}/IGI/2026/99999")),
        (format!("{POLICIES}/CN-2026-004100"), format!("{POLICIES}/CN-2026-999999")),
    ] {
        assert_eq!(app.get(&foreign).await.status, 200);
        let theirs = app.as_partner(&other, "GET", &foreign, None).await;
        let nobodys = app.as_partner(&other, "GET", &unknown, None).await;
        theirs.is_refused(404, "R4040");
        let named = |path: &str| path.rsplit_once("health/").expect("of the family").1.to_owned();
        let id = |path: &str| named(path).split_once('/').expect("an id").1.to_owned();
        assert_eq!(theirs.text.replace(&id(&foreign), "[id]"), nobodys.text.replace(&id(&unknown), "[id]"));
    }
    for list in [format!("{PROPOSALS}?end_date=2026-11-20"), POLICIES.to_owned()] {
        let page = app.as_partner(&other, "GET", &list, None).await.json();
        assert_eq!((&page["count"], &page["end_cursor"]), (&json!(0), &json!("")), "{list}");
    }
}
