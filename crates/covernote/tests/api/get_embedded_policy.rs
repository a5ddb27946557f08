//! `GET /v1/embedded/policy/{address}`: the signed download of a certificate, and the certificate's content
//! (interface §6, Limits; D1, D10, D29, D30, D53).

use std::time::Duration;

use domain::date::in_words;
use serde_json::{Value, json};

use crate::support::certificate::{
    certificate_of, cover_of, drawn_text_of, has_completed, policy_of, text_of,
};
use crate::support::{Answer, App, Setup, bodies};

/// Variants of the sample catalogue whose proposals the partner decides.
const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";
const REDUCING: &str = "vrt_01m5w70szrefd8xfkwrdd6c53q";

/// The body of a submitted proposal of a variant, with the item of the quote that it proposes.
async fn has_body_of(app: &App, variant: &str) -> (Value, Value) {
    let quote = app.has_quote().await;
    let items = quote["recommendations"].as_array().expect("a list");
    let item = items.iter().find(|item| item["variant_id"] == variant).expect("in the sample");
    (bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED"), item.clone())
}

/// An amount such as `2842.50` as a certificate shows a premium: `₹2,842.50`.
fn in_rupees(amount: &Value) -> String {
    let amount = amount.as_str().expect("text");
    let (rupees, paise) = amount.split_once('.').expect("two places");
    let grouped = match rupees.len() {
        0..=3 => rupees.to_owned(),
        4 | 5 => format!("{},{}", &rupees[..rupees.len() - 3], &rupees[rupees.len() - 3..]),
        _ => panic!("a premium of the sample is below a lakh: {amount}"),
    };
    format!("₹{grouped}.{paise}")
}

#[track_caller]
fn says(text: &str, wanted: &str) {
    assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
}

/// Checks that the text has the whole word: `₹100` is not in `₹1000`.
#[track_caller]
fn has_word(text: &str, wanted: &str) {
    assert!(text.split_whitespace().any(|word| word == wanted), "no word {wanted:?} in\n{text}");
}

#[tokio::test]
async fn the_download_address_of_a_certificate_serves_a_pdf_without_a_bearer_token() {
    // D1, D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let answer = certificate_of(&app, &id).await;
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    assert!(answer.bytes.starts_with(b"%PDF"));
    assert_eq!(answer.header("content-length"), Some(answer.bytes.len().to_string().as_str()));
    let number = policy_of(&app, &id).await.number;
    let disposition = answer.header("content-disposition").expect("a file name").to_owned();
    let (_, name) = disposition.split_once("filename=\"").expect("a file name");
    let name = name.trim_end_matches('"');
    assert!(name.contains(number.as_str()) && name.ends_with(".pdf"), "{disposition}");
    assert!(answer.header("x-request-id").is_some());
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let cached = answer.header("cache-control").expect("said");
    assert!(cached.contains("no-store"), "no cache may keep it: {cached}");
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert!(answer.header("x-robots-tag").expect("said").contains("noindex"));
}

#[tokio::test]
async fn a_bearer_token_makes_no_difference_to_a_certificate_download() {
    // D1
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    let stranger = app.new_partner("Another Lender").await;
    let plain = app.get_without_bearer(&path).await;
    for request in [
        app.request("GET", &path).bearer_auth(&app.partner().token),
        app.request("GET", &path).bearer_auth(&stranger.token),
        app.request("GET", &path).bearer_auth("forged"),
        app.request("GET", &path).header("accept", "text/html"),
    ] {
        let answer = app.send(request).await;
        assert_eq!((answer.status, &answer.bytes), (200, &plain.bytes));
    }
}

#[tokio::test]
async fn a_download_address_is_valid_for_exactly_ten_minutes() {
    // interface Limits, D10
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    app.clock.advance(Duration::from_secs(600));
    assert_eq!(app.get_without_bearer(&path).await.status, 200, "at ten minutes");
    app.clock.advance(Duration::from_secs(1));
    let late = app.get_without_bearer(&path).await;
    late.is_refused(410, "R4100");
    assert_eq!(late.json()["title"], "Link Expired");
    assert_eq!(late.json()["instance"], path.as_str());
    app.clock.advance(Duration::from_secs(365 * 24 * 3600));
    app.get_without_bearer(&path).await.is_refused(410, "R4100");
}

#[tokio::test]
async fn a_download_address_with_any_changed_character_is_r4040() {
    // D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    let begins = path.rfind('/').expect("a path") + 1;
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for place in begins..path.len() {
        let own = path.as_bytes()[place];
        let last = place + 1 == path.len();
        let own_at = letters.iter().position(|letter| *letter == own);
        let own_at = own_at.unwrap_or_else(|| panic!("the address has {}", own as char));
        // Every other character in the last place, which has unused bits; neighbours in the other places.
        let steps: Vec<usize> = if last { (1..64).collect() } else { vec![1, 32, 63] };
        for step in steps {
            let mut changed = path.clone().into_bytes();
            changed[place] = letters[(own_at + step) % 64];
            let changed = String::from_utf8(changed).expect("ASCII");
            let answer = app.get_without_bearer(&changed).await;
            assert_eq!(answer.status, 404, "place {place} of {path} as {changed}: {}", answer.text);
            answer.is_refused(404, "R4040");
        }
    }
    assert_eq!(app.get_without_bearer(&path).await.status, 200, "as it was given it is good");
}

#[tokio::test]
async fn a_shortened_or_lengthened_download_address_is_r4040() {
    // D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    let begins = path.rfind('/').expect("a path") + 1;
    for cut in begins + 1..path.len() {
        app.get_without_bearer(&path[..cut]).await.is_refused(404, "R4040");
    }
    let (address, folder) = (&path[begins..], &path[..begins]);
    let others = [
        folder.to_owned(),
        format!("{path}A"),
        format!("{path}="),
        format!("{path}=="),
        format!("{path}AAAA"),
        format!("{path}{address}"),
        format!("{path}/"),
        format!("{path}/x"),
        format!("{path}.pdf"),
        format!("{folder}{}", "A".repeat(address.len())),
        format!("{folder}{}", address.to_lowercase()),
        format!("{folder}%20{address}"),
        format!("{folder}%00"),
        format!("{folder}{id}"),
    ];
    for other in others {
        let answer = app.get_without_bearer(&other).await;
        assert_eq!(answer.status, 404, "{other}: {}", answer.text);
        answer.is_refused(404, "R4040");
    }
}

#[tokio::test]
async fn a_download_address_that_is_not_utf8_is_r4040() {
    // D30, D10
    let app = App::start().await;
    for other in ["%FF", "%C3%28", "%ED%A0%80"] {
        let answer = app.get_without_bearer(&format!("/v1/embedded/policy/{other}")).await;
        assert_eq!(answer.status, 404, "{other}: {}", answer.text);
        answer.is_refused(404, "R4040");
    }
}

#[tokio::test]
async fn a_download_address_of_another_installation_is_r4040() {
    // D30
    let (here, there) = (App::start().await, App::start().await);
    let id = there.has_proposal("COMPLETED").await;
    let path = there.download_path(&id).await;
    here.get_without_bearer(&path).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn a_changed_download_address_is_r4040_and_not_r4100_after_its_ten_minutes() {
    // D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    app.clock.advance(Duration::from_secs(3600));
    app.get_without_bearer(&path).await.is_refused(410, "R4100");
    let changed = if path.ends_with('A') { "E" } else { "A" };
    let changed = format!("{}{changed}", &path[..path.len() - 1]);
    app.get_without_bearer(&changed).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn a_browser_gets_an_html_page_when_a_download_fails_and_other_clients_get_json() {
    // D10
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let path = app.download_path(&id).await;
    let tampered = format!("{}xxxx", &path[..path.len() - 4]);
    app.clock.advance(Duration::from_secs(601));
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (path, status, code) in [(path, 410, "R4100"), (tampered, 404, "R4040")] {
        let page = app.send(app.request("GET", &path).header("accept", browser)).await;
        assert_eq!(page.status, status, "{}", page.text);
        assert!(page.header("content-type").expect("said").starts_with("text/html"));
        assert!(page.text.starts_with("<!doctype html>"), "{}", page.text);
        is_guarded(&page);
        for accept in [None, Some("*/*"), Some("application/json"), Some("application/pdf")] {
            let request = app.request("GET", &path);
            let request = match accept {
                Some(accept) => request.header("accept", accept),
                None => request,
            };
            app.send(request).await.is_refused(status, code);
        }
    }
}

/// Checks the headers that protect a page from caches, frames and foreign scripts.
#[track_caller]
pub(crate) fn is_guarded(page: &Answer) {
    let policy = page.header("content-security-policy").expect("a policy");
    for wanted in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
        assert!(policy.contains(wanted), "no {wanted} in {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert!(page.header("x-robots-tag").expect("said").contains("noindex"));
    assert!(page.header("cache-control").expect("said").contains("no-store"));
    assert!(page.header("x-request-id").is_some());
}

#[tokio::test]
async fn every_download_of_a_certificate_returns_the_same_bytes() {
    // D30: rendered at issue and kept
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let first = certificate_of(&app, &id).await;
    app.clock.advance(Duration::from_secs(300));
    assert_eq!(certificate_of(&app, &id).await.bytes, first.bytes);
    app.clock.set("2029-01-01T00:00:00+05:30");
    let mut later = app.partner().clone();
    later.token = app.token_of(&later, &["business"]).await;
    let status = app.as_partner(&later, "GET", &format!("/v1/embedded/proposal/{id}/status"), None).await;
    let address = status.json()["payload"]["policy_url"].as_str().expect("an address").to_owned();
    let path = address.strip_prefix(&app.base).expect("on this server");
    assert_eq!(app.get_without_bearer(path).await.bytes, first.bytes, "and years later");
}

#[tokio::test]
async fn the_certificate_shows_the_issued_policy_but_no_contact_or_document_numbers() {
    // D29, D30, D40
    let app = App::start().await;
    let (mut body, item) = has_body_of(&app, LEVEL).await;
    body["nominee"] = json!([bodies::nominee(json!(60)), bodies::minor_nominee(json!(40))]);
    body["nominee"][1]["first_name"] = "Kiran".into();
    let id = has_completed(&app, body).await;
    let policy = policy_of(&app, &id).await;
    let pdf = certificate_of(&app, &id).await.bytes;
    let text = text_of(&pdf);

    says(&text, policy.number.as_str());
    says(&text, "Kalpanik Life Insurance (fictional)");
    says(&text, "FICTIONAL-101");
    says(&text, "FICTIONAL-GCL-101-0001");
    has_word(&text, "000N101V01");
    says(&text, "Asha K Rao");
    says(&text, "20 Nov 2026");
    says(&text, "15 Jun 1990");
    says(&text, "24 months");
    has_word(&text, "₹5,00,000");
    for amount in ["base_premium", "gst", "total_premium"] {
        has_word(&text, &in_rupees(&item[amount]));
    }
    says(&text, "Ravi Rao");
    says(&text, "60 %");
    says(&text, "Kiran Rao");
    says(&text, "40 %");
    says(&text, "Mohan Rao (uncle)");
    says(&text, "30 days");
    says(&text, "claims@kalpanik.insurers.example");
    says(&text, "grievance@kalpanik.insurers.example");
    says(&text, "Sample Lenders' Association");
    assert!(!text.contains("Year 1"), "a level cover has no schedule: {text}");

    let drawn = drawn_text_of(&pdf);
    says(&drawn, "Kalpanik Loan Suraksha");
    assert!(!drawn.contains("ABCPR1234K") && !drawn.contains("0124"), "no document number: {drawn}");
    assert!(!drawn.contains("9876543210") && !drawn.contains("asha.rao@example.com"), "no contact: {drawn}");
}

#[tokio::test]
async fn the_certificate_states_how_the_premium_is_settled() {
    // D29
    const SETTLED: &str = "Drawn from the lender's advance deposit with the insurer; the lender deducts it from the loan at disbursement.";
    let app = App::start().await;
    let (body, _) = has_body_of(&app, LEVEL).await;
    let id = has_completed(&app, body).await;
    assert_eq!(cover_of(&app, &id).await.settlement, SETTLED, "kept with the policy");
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    // The sentence is broken into lines in a column. Its words follow each other in order.
    let mut rest = text.as_str();
    for word in SETTLED.split(' ') {
        let at = rest.find(word).unwrap_or_else(|| panic!("no {word:?} in its place in\n{text}"));
        rest = &rest[at + word.len()..];
    }
}

#[tokio::test]
async fn the_certificate_of_a_paid_policy_names_the_payment_and_does_not_tell_the_customer_to_pay() {
    // D29
    let app = Setup::paid_by_partner().start().await;
    let policy = app.has_policy_paid_by_partner("UTR-P1").await;
    let proposal = app.policy(&policy).await["proposal_id"].as_str().expect("an id").to_owned();
    let text = text_of(&certificate_of(&app, &proposal).await.bytes);
    assert!(text.contains("Paid on 20 Nov 2026, reference UTR-P1."), "{text}");
    assert!(!text.contains("Drawn from"), "{text}");
}

#[tokio::test]
async fn the_settlement_text_of_a_certificate_comes_from_its_own_product() {
    // D29
    let setup = Setup::with_edited("insurers/kalpanik/loan-suraksha.toml", |text| {
        text.replace(
            "settlement = \"Drawn from the lender's advance deposit with the insurer; the lender deducts it from the loan at disbursement.\"",
            "settlement = \"Paid by cheque.\"",
        )
    });
    let app = setup.start().await;
    let (body, _) = has_body_of(&app, LEVEL).await;
    let id = has_completed(&app, body).await;
    says(&text_of(&certificate_of(&app, &id).await.bytes), "Paid by cheque.");
}

#[tokio::test]
async fn the_certificate_names_every_insured_member() {
    // interface §5
    let app = App::start().await;
    let (mut body, _) = has_body_of(&app, LEVEL).await;
    body["insured_members"] = json!([bodies::proposer(), bodies::joint_borrower()]);
    body["nominee"] = Value::Null;
    let id = has_completed(&app, body).await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    says(&text, "Asha K Rao");
    says(&text, "Devika Menon");
    says(&text, "29 Feb 1992");
    assert!(!text.contains("Nominee"), "there is none: {text}");
}

#[tokio::test]
async fn the_certificate_prints_a_name_in_devanagari_with_vowel_signs_and_conjuncts() {
    // with vowel signs and conjuncts
    let app = App::start().await;
    let (mut body, _) = has_body_of(&app, LEVEL).await;
    let member = &mut body["insured_members"][0];
    member["first_name"] = "आशा".into();
    member["middle_name"] = Value::Null;
    member["last_name"] = "राव".into();
    body["nominee"][0]["first_name"] = "श्रीकृष्ण".into();
    let id = has_completed(&app, body).await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    says(&text, "आशा राव");
    // Text extraction may add a space beside a mark without a width.
    let unspaced: String = text.split_whitespace().collect();
    says(&unspaced, "श्रीकृष्णRao");
}

/// The first and last day of cover, as the certificate of a proposal with this context data shows them.
async fn cover_with(app: &App, context: Value) -> (String, String) {
    let (mut body, _) = has_body_of(app, LEVEL).await;
    body["context_data"] = context;
    let id = has_completed(app, body).await;
    let cover = cover_of(app, &id).await;
    let text = text_of(&certificate_of(app, &id).await.bytes);
    let (starts, ends) = (in_words(cover.period.starts), in_words(cover.period.ends));
    // The key facts are in one line below their labels.
    let mut lines =
        text.lines().filter(|line| !line.is_empty()).skip_while(|line| !line.contains("Cover starts"));
    assert!(lines.next().is_some_and(|line| line.contains("Cover ends")), "{text}");
    let facts = lines.next().unwrap_or_default();
    assert!(facts.contains(&starts) && facts.contains(&ends), "{starts} to {ends} in {facts:?} of\n{text}");
    (starts, ends)
}

fn disbursed(day: &str) -> Value {
    json!([{ "key": "disbursement_date", "values": [day] }])
}

#[tokio::test]
async fn cover_starts_on_the_disbursement_date_or_on_the_day_of_issue_if_that_is_later() {
    // D53: 24 months
    let app = App::start().await;
    let day = |text: &str| text.to_owned();
    let cases = [
        (json!([]), "20 Nov 2026", "19 Nov 2028"),
        (disbursed("05/12/2026"), "5 Dec 2026", "4 Dec 2028"),
        (disbursed("21/11/2026"), "21 Nov 2026", "20 Nov 2028"),
        (disbursed("20/11/2026"), "20 Nov 2026", "19 Nov 2028"),
        (disbursed("19/11/2026"), "20 Nov 2026", "19 Nov 2028"),
        (disbursed("01/01/2020"), "20 Nov 2026", "19 Nov 2028"),
        (disbursed("01/02/2027"), "1 Feb 2027", "31 Jan 2029"),
    ];
    for (context, starts, ends) in cases {
        assert_eq!(cover_with(&app, context.clone()).await, (day(starts), day(ends)), "{context}");
    }
}

#[tokio::test]
async fn cover_starts_on_the_day_of_issue_in_kolkata() {
    // D53
    let app = App::start().await;
    app.clock.set("2026-11-20T18:29:00Z");
    let mut later = app.partner().clone();
    later.token = app.token_of(&later, &["business"]).await;
    let quote = app.as_partner(&later, "POST", "/v1/embedded/quote", Some(bodies::quote())).await.json();
    let items = quote["payload"]["recommendations"].as_array().expect("a list");
    let item = items.iter().find(|item| item["variant_id"] == LEVEL).expect("in the sample");
    let body = bodies::proposal(&quote["payload"]["quote_id"], &item["recommendation_id"], "SUBMITTED");
    for (instant, starts, name) in
        [("2026-11-20T18:29:59Z", "20 Nov 2026", "Asha"), ("2026-11-20T18:30:00Z", "21 Nov 2026", "Devika")]
    {
        let body = bodies::of_borrower(body.clone(), name);
        let created = app.as_partner(&later, "POST", "/v1/embedded/proposal", Some(body.clone())).await;
        let id = created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        app.clock.set(instant);
        let path = format!("/v1/embedded/proposal/{id}");
        let moved = app.as_partner(&later, "PATCH", &path, Some(json!({ "status": "COMPLETED" }))).await;
        assert_eq!(moved.status, 200, "{}", moved.text);
        assert_eq!(in_words(cover_of(&app, &id).await.period.starts), starts, "{instant}");
    }
}

#[tokio::test]
async fn cover_starts_on_the_quotes_disbursement_date_if_the_proposal_has_none() {
    // D53
    let app = App::start().await;
    let mut request = bodies::quote();
    request["context_data"] = disbursed("05/12/2026");
    let quote = app.post("/v1/embedded/quote", request).await.json()["payload"].clone();
    let items = quote["recommendations"].as_array().expect("a list");
    let item = items.iter().find(|item| item["variant_id"] == LEVEL).expect("in the sample");
    let body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED");
    let cover = |body| async {
        let id = has_completed(&app, body).await;
        in_words(cover_of(&app, &id).await.period.starts)
    };
    assert_eq!(cover(body.clone()).await, "5 Dec 2026");
    let mut other = bodies::of_borrower(body, "Devika");
    other["context_data"] = disbursed("15/12/2026");
    assert_eq!(cover(other).await, "15 Dec 2026");
}

#[tokio::test]
async fn the_certificate_of_a_reducing_cover_shows_the_cover_of_each_year() {
    // the remaining debt of 5 lakh over 24 months at 12 % a year, after no and after twelve instalments
    let app = App::start().await;
    let (body, item) = has_body_of(&app, REDUCING).await;
    let id = has_completed(&app, body).await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    let owed_after_a_year = 500_000.0 * (1.0 - 1.01_f64.powi(-12)) / (1.0 - 1.01_f64.powi(-24));
    let owed_after_a_year = format!("{owed_after_a_year:.2}");
    let (rupees, paise) = owed_after_a_year.split_once('.').expect("two places");
    let owed_after_a_year = format!("₹{},{},{}.{paise}", &rupees[..1], &rupees[1..3], &rupees[3..]);
    says(&text, "Year 1");
    says(&text, "Year 2");
    assert!(!text.contains("Year 3"), "two years: {text}");
    has_word(&text, "₹5,00,000");
    has_word(&text, &owed_after_a_year);
    has_word(&text, &in_rupees(&item["total_premium"]));
}

#[tokio::test]
async fn every_policy_has_its_own_number_with_the_prefix_of_its_product() {
    // D30
    let app = App::start().await;
    let mut numbers = std::collections::HashSet::new();
    for _ in 0..20 {
        let id = app.has_proposal("COMPLETED").await;
        let number = policy_of(&app, &id).await.number;
        assert!(number.as_str().starts_with("KLS-"), "the product's prefix: {number}");
        assert!(numbers.insert(number), "twice the same number");
    }
}
