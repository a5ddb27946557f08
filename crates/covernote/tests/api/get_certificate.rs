//! `GET /certificate/{code}`: the page behind a certificate's QR code says whether the certificate is
//! genuine. It shows only the holder's initials (D1, D10, D30, D53).

use serde_json::{Value, json};

use super::get_embedded_policy::is_guarded;
use crate::support::certificate::{check_path_of, has_completed, policy_of};
use crate::support::{Answer, App};

/// A completed proposal with a changed body. Returns its id and the path of its certificate check.
async fn has_certificate(app: &App, change: impl FnOnce(&mut Value)) -> (String, String) {
    let mut body = app.has_proposal_body("SUBMITTED").await;
    change(&mut body);
    let id = has_completed(app, body).await;
    let path = check_path_of(app, &id).await;
    (id, path)
}

#[track_caller]
fn is_page(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(answer.text.starts_with("<!doctype html>"), "{}", answer.text);
    is_guarded(answer);
}

#[tokio::test]
async fn the_page_of_a_genuine_certificate_shows_no_personal_data_except_initials() {
    // D1: no bearer
    let app = App::start().await;
    let (id, path) = has_certificate(&app, |_| {}).await;
    let page = app.get_without_bearer(&path).await;
    is_page(&page, 200);
    let number = policy_of(&app, &id).await.number;
    for wanted in [
        number.as_str(),
        "Kalpanik Life Insurance (fictional)",
        "Kalpanik Loan Suraksha",
        "A. R.",
        "20 Nov 2026",
        "19 Nov 2028",
        "genuine",
    ] {
        assert!(page.text.contains(wanted), "no {wanted} in {}", page.text);
    }
    for personal in [
        "Asha",
        "Rao",
        "Ravi",
        "1990",
        "9876543210",
        "asha.rao",
        "MG Road",
        "560038",
        "ABCPR",
        "0124",
        "5,00,000",
        &id,
    ] {
        assert!(!page.text.contains(personal), "{personal} in {}", page.text);
    }
    assert!(page.text.contains("noindex"), "robots are told in the page as well: {}", page.text);
}

#[tokio::test]
async fn the_certificate_page_shows_the_initials_of_the_first_insured_member() {
    let app = App::start().await;
    let (_, path) = has_certificate(&app, |body| {
        body["insured_members"][0]["first_name"] = "Devika".into();
        body["insured_members"][0]["middle_name"] = Value::Null;
        body["insured_members"][0]["last_name"] = "menon".into();
    })
    .await;
    let page = app.get_without_bearer(&path).await;
    is_page(&page, 200);
    assert!(page.text.contains("D. M."), "{}", page.text);
    assert!(!page.text.contains("evika") && !page.text.contains("enon"), "{}", page.text);
}

#[tokio::test]
async fn a_members_name_cannot_inject_markup_into_the_certificate_page() {
    let app = App::start().await;
    let (_, path) = has_certificate(&app, |body| {
        body["insured_members"][0]["first_name"] = "<script>".into();
        body["insured_members"][0]["last_name"] = "\"onload".into();
    })
    .await;
    let page = app.get_without_bearer(&path).await;
    is_page(&page, 200);
    assert!(!page.text.contains("<. ") && !page.text.contains("\"."), "{}", page.text);
}

#[tokio::test]
async fn the_certificate_page_shows_only_the_initials_of_a_name_in_devanagari() {
    let app = App::start().await;
    let (_, path) = has_certificate(&app, |body| {
        body["insured_members"][0]["first_name"] = "आशा".into();
        body["insured_members"][0]["middle_name"] = Value::Null;
        body["insured_members"][0]["last_name"] = "राव".into();
    })
    .await;
    let page = app.get_without_bearer(&path).await;
    is_page(&page, 200);
    assert!(page.text.contains('आ') && page.text.contains('र'), "{}", page.text);
    assert!(!page.text.contains("आशा") && !page.text.contains("राव"), "{}", page.text);
}

#[tokio::test]
async fn all_unknown_certificate_codes_get_the_same_404_page() {
    // D10
    let app = App::start().await;
    let (_, path) = has_certificate(&app, |_| {}).await;
    let code = path.strip_prefix("/certificate/").expect("its folder");
    let first = app.get_without_bearer("/certificate/AAAAAAAAAAAAAAAAAAAAAA").await;
    is_page(&first, 404);
    let mut others: Vec<String> = [
        "x",
        "-",
        "0",
        "null",
        "%20",
        "%00",
        "%22%3Cscript%3E",
        "..%2F..%2Flivez",
        "AAAAAAAAAAAAAAAAAAAAAB",
        "AAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAA",
        "pol_01m5vktth0f5dshfehnp2ec77b",
    ]
    .map(str::to_owned)
    .to_vec();
    others.push("A".repeat(2000));
    others.push(code[1..].to_owned());
    others.push(code[..21].to_owned());
    others.push(format!("{code}A"));
    others.push(format!("{code}=="));
    others.push(format!("{code}%20"));
    others.push(code.chars().rev().collect());
    for place in 0..code.len() {
        let other = if &code[place..=place] == "A" { "Q" } else { "A" };
        others.push(format!("{}{other}{}", &code[..place], &code[place + 1..]));
    }
    // The last character has unused bits, which must not allow another spelling of the same code.
    for letter in ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']) {
        if !code.ends_with(letter) {
            others.push(format!("{}{letter}", &code[..code.len() - 1]));
        }
    }
    for other in others {
        let answer = app.get_without_bearer(&format!("/certificate/{other}")).await;
        assert_eq!(answer.status, 404, "{other}: {}", answer.text);
        is_page(&answer, 404);
        assert_eq!(answer.bytes, first.bytes, "{other}");
    }
    assert_eq!(app.get_without_bearer(&path).await.status, 200, "as it is printed it is good");
}

#[tokio::test]
async fn a_certificate_code_that_is_not_utf8_gets_the_same_page_as_an_unknown_code() {
    // D10
    let app = App::start().await;
    let unknown = app.get_without_bearer("/certificate/AAAAAAAAAAAAAAAAAAAAAA").await;
    for other in ["%FF", "%C3%28"] {
        let answer = app.get_without_bearer(&format!("/certificate/{other}")).await;
        assert_eq!((answer.status, &answer.text), (404, &unknown.text), "{other}");
    }
}

#[tokio::test]
async fn the_certificate_check_answers_with_html_even_if_the_client_accepts_only_json() {
    // D10: the certificate check is a page for people
    let app = App::start().await;
    let request = app.request("GET", "/certificate/AAAAAAAAAAAAAAAAAAAAAA");
    is_page(&app.send(request.header("accept", "application/json")).await, 404);
}

#[tokio::test]
async fn the_certificate_page_shows_whether_cover_has_not_started_is_in_force_or_has_ended() {
    // D53, by the day in Kolkata
    let app = App::start().await;
    let (_, path) = has_certificate(&app, |body| {
        body["context_data"] = json!([{ "key": "disbursement_date", "values": ["05/12/2026"] }]);
    })
    .await;
    let states = ["not started", "in force", "has ended"];
    for (instant, state) in [
        ("2026-11-20T10:00:00+05:30", "not started"),
        ("2026-12-04T23:59:59.999+05:30", "not started"),
        ("2026-12-05T00:00:00+05:30", "in force"),
        ("2027-12-05T12:00:00+05:30", "in force"),
        ("2028-12-04T23:59:59.999+05:30", "in force"),
        ("2028-12-05T00:00:00+05:30", "has ended"),
        ("2040-01-01T00:00:00+05:30", "has ended"),
    ] {
        app.clock.set(instant);
        let page = app.get_without_bearer(&path).await;
        is_page(&page, 200);
        let said: Vec<&str> = states.into_iter().filter(|state| page.text.contains(state)).collect();
        assert_eq!(said, [state], "{instant}: {}", page.text);
        assert!(page.text.contains("5 Dec 2026") && page.text.contains("4 Dec 2028"), "{}", page.text);
    }
}

#[tokio::test]
async fn a_proposal_that_was_not_completed_has_no_certificate() {
    // D30
    let app = App::start().await;
    for status in ["DRAFT", "PENDING", "REJECTED"] {
        let id = app.has_proposal(status).await;
        is_page(&app.get_without_bearer(&format!("/certificate/{id}")).await, 404);
    }
}

#[tokio::test]
async fn every_certificate_has_a_code_of_its_own() {
    let app = App::start().await;
    let mut paths = std::collections::HashSet::new();
    for _ in 0..5 {
        let (_, path) = has_certificate(&app, |_| {}).await;
        assert!(paths.insert(path), "twice the same code");
    }
}
