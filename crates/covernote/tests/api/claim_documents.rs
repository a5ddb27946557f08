//! `POST /v1/claims/{claim_id}/documents` and `GET …/documents/{document_id}`: papers are stored and returned
//! as raw bytes (D83).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::team::Role;
use futures_util::future::join_all;
use futures_util::stream;
use serde_json::{Value, json};
use service::claim::settlement::ClaimVerdict;
use service::outside::paper_scanner::{PaperScanner, Scan, ScanVerdict};
use service::shared::claim_limits::ClaimLimits;

use crate::support::bodies::with;
use crate::support::claims::{death, pdf};
use crate::support::console::{Authenticator, Console};
use crate::support::{Answer, App, Setup};

const MIB: usize = 1024 * 1024;

async fn documents(app: &App, claim: &str) -> Vec<Value> {
    app.claim(claim).await["documents"].as_array().expect("a list").clone()
}

/// Waits until only these numbers of papers and parts remain.
/// The server removes a refused upload after its answer.
async fn only_are_left(app: &App, papers: i64, parts: i64) {
    app.eventually("refused uploads are removed", async || {
        ((app.rows_of("claim_papers"), app.rows_of("claim_parts")) == (papers, parts)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_paper_is_returned_unchanged_with_headers_that_keep_browsers_from_executing_it() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let bytes: Vec<u8> =
        b"%PDF-1.7\n".iter().copied().chain((0..200_000_u32).map(|n| (n % 251) as u8)).collect();
    let kept = app.uploads(&claim, "?paper=death-certificate", "application/pdf", bytes.clone()).await;
    assert_eq!(kept.status, 201, "{}", kept.text);
    let kept = kept.json()["payload"].clone();
    assert_eq!((&kept["bytes"], &kept["paper"]), (&json!(bytes.len()), &json!("death-certificate")));
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes);
    let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(kept["sha256"], hash.as_str());
    let shown = app.claim(&claim).await;
    assert_eq!(shown["documents"], json!([kept]));
    let came: Vec<&Value> =
        shown["papers"].as_array().expect("a list").iter().filter(|one| one["received"] == true).collect();
    assert_eq!((came.len(), &came[0]["id"]), (1, &json!("death-certificate")));
    let id = kept["document_id"].as_str().expect("an id");
    let path = format!("/v1/claims/{claim}/documents/{id}");
    let request = app.request("GET", &path).bearer_auth(&app.partner().token);
    let response = request.send().await.expect("an answer");
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!((response.status().as_u16(), header("content-type")), (200, "application/pdf".to_owned()));
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(header("content-disposition"), format!("attachment; filename=\"{id}.pdf\""));
    assert_eq!(header("content-length"), bytes.len().to_string());
    assert_eq!(response.bytes().await.expect("bytes"), bytes);
}

#[tokio::test]
async fn a_paper_is_refused_if_its_first_bytes_do_not_match_its_declared_media_type() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let jpeg = [&[0xff, 0xd8, 0xff, 0xe0][..], &[0; 100]].concat();
    let png = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 100]].concat();
    for (media_type, bytes) in
        [("image/jpeg", jpeg.clone()), ("image/png", png.clone()), ("Application/PDF; x=1", pdf(50))]
    {
        let kept = app.uploads(&claim, "", media_type, bytes).await;
        assert_eq!((kept.status, &kept.json()["payload"]["paper"]), (201, &Value::Null), "{}", kept.text);
    }
    for (media_type, bytes) in [
        ("application/pdf", png.clone()),
        ("image/jpeg", pdf(50)),
        ("image/png", jpeg),
        ("application/pdf", b"<html><script>".to_vec()),
        ("application/pdf", Vec::new()),
        ("application/pdf", b"%PDF".to_vec()),
        ("text/html", pdf(50)),
        ("application/json", pdf(50)),
        ("", pdf(50)),
    ] {
        app.uploads(&claim, "", media_type, bytes).await.is_refused(415, "V4150");
    }
    let request =
        app.request("POST", &format!("/v1/claims/{claim}/documents")).bearer_auth(&app.partner().token);
    let packed =
        request.header("content-type", "application/pdf").header("content-encoding", "gzip").body(pdf(50));
    app.send(packed).await.is_refused(415, "V4150");
    only_are_left(&app, 3, 3).await;
    assert_eq!(documents(&app, &claim).await.len(), 3);
}

#[tokio::test]
async fn a_paper_larger_than_10_mebibytes_is_refused_and_not_stored() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let refused = app.uploads(&claim, "", "application/pdf", pdf(10 * MIB + 1)).await;
    refused.is_refused(413, "V4130");
    // An upload without a declared size is refused as soon as it is too large.
    let parts = (0..11).map(|_| Ok::<_, std::io::Error>(pdf(MIB)));
    let request = app
        .request("POST", &format!("/v1/claims/{claim}/documents"))
        .bearer_auth(&app.partner().token)
        .header("content-type", "application/pdf")
        .body(reqwest::Body::wrap_stream(stream::iter(parts)));
    let answer = Answer::of(request.send().await.expect("an answer")).await;
    answer.is_refused(413, "V4130");
    only_are_left(&app, 0, 0).await;
    assert_eq!(documents(&app, &claim).await.len(), 0);
}

#[tokio::test]
async fn a_paper_is_refused_if_the_papers_of_its_claim_would_exceed_40_mebibytes() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    for _ in 0..4 {
        let kept = app.uploads(&claim, "", "application/pdf", pdf(9 * MIB)).await;
        assert_eq!(kept.status, 201, "{}", kept.text);
    }
    let parts = app.rows_of("claim_parts");
    app.uploads(&claim, "", "application/pdf", pdf(5 * MIB)).await.is_refused(413, "V4130");
    only_are_left(&app, 4, parts).await;
    assert_eq!(app.uploads(&claim, "", "application/pdf", pdf(4 * MIB)).await.status, 201);
    app.uploads(&claim, "", "application/pdf", pdf(9)).await.is_refused(413, "V4130");
    assert_eq!(documents(&app, &claim).await.len(), 5);
}

#[tokio::test]
async fn an_interrupted_upload_leaves_no_paper_in_the_store() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let broken = stream::iter([Ok(pdf(300_000)), Err(std::io::Error::other("the telephone is in a tunnel"))]);
    let request = app
        .request("POST", &format!("/v1/claims/{claim}/documents"))
        .bearer_auth(&app.partner().token)
        .header("content-type", "application/pdf")
        .body(reqwest::Body::wrap_stream(broken));
    assert!(request.send().await.is_err(), "the client broke off");
    only_are_left(&app, 0, 0).await;
    assert_eq!(documents(&app, &claim).await.len(), 0);
}

#[tokio::test]
async fn an_upload_that_stalls_beyond_the_body_deadline_is_refused_and_not_stored() {
    // D83
    let limits = web::Limits { body_deadline: Duration::from_millis(200), ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let (claim, _) = app.has_claim().await;
    let stalls = stream::once(async { Ok::<_, std::io::Error>(pdf(300_000)) });
    let stalls = futures_util::StreamExt::chain(stalls, stream::pending());
    let request = app
        .request("POST", &format!("/v1/claims/{claim}/documents"))
        .bearer_auth(&app.partner().token)
        .header("content-type", "application/pdf")
        .body(reqwest::Body::wrap_stream(stalls));
    let answer = Answer::of(request.send().await.expect("an answer")).await;
    answer.has_faults_on(&["body"]);
    only_are_left(&app, 0, 0).await;
}

#[tokio::test]
async fn simultaneous_uploads_to_one_claim_together_stay_within_its_limit_of_40_mebibytes() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let answers = join_all((0..6).map(|_| app.uploads(&claim, "", "application/pdf", pdf(9 * MIB)))).await;
    let kept = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(kept, 4, "{:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| matches!(answer.status, 201 | 413)));
    assert_eq!(documents(&app, &claim).await.len(), 4);
}

/// A setup with other limits for claims.
fn limited(change: impl Fn(&mut ClaimLimits)) -> Setup {
    let mut setup = Setup::default();
    change(&mut setup.claim_limits);
    setup
}

#[tokio::test]
async fn a_claim_can_have_at_most_as_many_papers_as_the_operator_configured() {
    // D112
    let app = limited(|limits| limits.papers_of_claim = 2).start().await;
    let (claim, _) = app.has_claim().await;
    for _ in 0..2 {
        assert_eq!(app.uploads(&claim, "", "application/pdf", pdf(9)).await.status, 201);
    }
    let refused = app.uploads(&claim, "", "application/pdf", pdf(9)).await;
    refused.is_refused(409, "S4090");
    assert!(refused.text.contains("already has the maximum of 2 documents"), "{}", refused.text);
    only_are_left(&app, 2, 2).await;
}

#[tokio::test]
async fn all_claims_on_one_policy_share_one_size_limit_for_their_papers() {
    // D112
    let app = limited(|limits| limits.mebibytes_of_policy = 3).start().await;
    let (claim, policy) = app.has_claim().await;
    let other = app.claims(with(death(&policy), "kind", json!("DISABILITY"))).await.json();
    let other = other["payload"]["claim_id"].as_str().expect("an id").to_owned();
    assert_eq!(app.uploads(&claim, "", "application/pdf", pdf(2 * MIB)).await.status, 201);
    let refused = app.uploads(&other, "", "application/pdf", pdf(2 * MIB)).await;
    refused.is_refused(413, "V4130");
    assert!(refused.text.contains("on a policy may have at most 3 MiB together"), "{}", refused.text);
    assert_eq!(app.uploads(&other, "", "application/pdf", pdf(MIB)).await.status, 201);
    // An upload without a declared size is judged when it is complete.
    let request = app
        .request("POST", &format!("/v1/claims/{other}/documents"))
        .bearer_auth(&app.partner().token)
        .header("content-type", "application/pdf")
        .body(reqwest::Body::wrap_stream(stream::once(async { Ok::<_, std::io::Error>(pdf(MIB)) })));
    Answer::of(request.send().await.expect("an answer")).await.is_refused(413, "V4130");
}

#[tokio::test]
async fn the_daily_upload_limit_of_a_partner_is_enforced_and_starts_again_at_midnight() {
    // D112
    for (change, named) in [
        (limited(|limits| limits.papers_of_day = 3), "at most 3 claim documents a day"),
        (limited(|limits| limits.mebibytes_of_day = 3), "at most 3 MiB of claim documents a day"),
    ] {
        let mut app = change.start().await;
        let mut kept = Vec::new();
        for _ in 0..2 {
            let (claim, _) = app.has_claim().await;
            kept.push(claim);
        }
        let at_once =
            join_all((0..8).map(|nth| app.uploads(&kept[nth % 2], "", "application/pdf", pdf(MIB)))).await;
        assert!(at_once.iter().filter(|answer| answer.status == 201).count() <= 3);
        // If several uploads near the limit come at once, all of them may be refused. None exceeds the limit.
        let is_full = async || {
            app.uploads(&kept[0], "", "application/pdf", pdf(MIB)).await;
            (app.rows_of("claim_papers where is_whole") == 3).then_some(())
        };
        app.eventually("the day's papers are there", is_full).await;
        let refused = app.uploads(&kept[0], "", "application/pdf", pdf(MIB)).await;
        refused.is_refused(429, "A4290");
        assert!(refused.text.contains(named), "{}", refused.text);
        // The time is 10:00, so the limit ends in 14 hours.
        let wait: u64 = refused.header("retry-after").and_then(|wait| wait.parse().ok()).expect("seconds");
        assert_eq!(wait, 14 * 3600 + 1);
        // Another partner has its own limit.
        let first = app.asks_as(app.new_partner("Another").await);
        let (claim, _) = app.has_claim().await;
        assert_eq!(app.uploads(&claim, "", "application/pdf", pdf(MIB)).await.status, 201);
        app.asks_as(first);
        app.set_clock("2026-11-21T00:00:01+05:30").await;
        assert_eq!(app.uploads(&kept[0], "", "application/pdf", pdf(MIB)).await.status, 201);
    }
}

#[tokio::test]
async fn an_upload_is_refused_if_the_claim_has_no_such_paper_or_was_rejected() {
    // D83
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    app.uploads(&claim, "?paper=tax-return", "application/pdf", pdf(50)).await.has_faults_on(&["paper"]);
    let id = claim.parse().expect("an id");
    let reason = Some(domain::person::PersonalLine::kept("Not covered.".into()));
    let verdict =
        ClaimVerdict { state: domain::claim::ClaimState::Rejected, approved: None, refunds: None, reason };
    app.service.claims.decide(id, domain::proposal::Actor::Operator, verdict).await.expect("rejected");
    app.uploads(&claim, "", "application/pdf", pdf(50)).await.is_refused(409, "S4090");
}

#[tokio::test]
async fn only_the_claims_own_partner_can_read_or_add_its_papers() {
    // D2, D3
    let app = App::start().await;
    let (claim, policy) = app.has_claim().await;
    let kept = app.uploads(&claim, "", "application/pdf", pdf(50)).await.json()["payload"].clone();
    let id = kept["document_id"].as_str().expect("an id");
    let other = app.new_partner("Other Lender").await;
    let path = format!("/v1/claims/{claim}/documents/{id}");
    app.as_partner(&other, "GET", &path, None).await.is_refused(404, "R4040");
    let request = app.request("POST", &format!("/v1/claims/{claim}/documents")).bearer_auth(&other.token);
    app.send(request.header("content-type", "application/pdf").body(pdf(50))).await.is_refused(404, "R4040");
    let second = app.claims(crate::support::bodies::with(death(&policy), "kind", json!("DISABILITY"))).await;
    let second = second.json()["payload"]["claim_id"].clone();
    let elsewhere = format!("/v1/claims/{}/documents/{id}", second.as_str().expect("an id"));
    app.get(&elsewhere).await.is_refused(404, "R4040");
    for none in [format!("/v1/claims/{claim}/documents/x"), format!("/v1/claims/x/documents/{id}")] {
        app.get(&none).await.is_refused(404, "R4040");
    }
    app.get_without_bearer(&path).await.is_refused(401, "A4001");
    let request = app.request("POST", &format!("/v1/claims/{claim}/documents"));
    app.send(request.header("content-type", "application/pdf").body(pdf(50))).await.is_refused(401, "A4001");
}

#[derive(Debug)]
struct Refuses(&'static [u8]);

struct Looks(&'static [u8], Vec<u8>);

impl PaperScanner for Refuses {
    fn begin(&self) -> Result<Box<dyn Scan>, String> {
        Ok(Box::new(Looks(self.0, Vec::new())))
    }
}

#[async_trait]
impl Scan for Looks {
    async fn feed(&mut self, bytes: &[u8]) {
        self.1.extend_from_slice(bytes);
    }

    async fn verdict(self: Box<Self>) -> Result<ScanVerdict, String> {
        let found = self.1.windows(self.0.len()).any(|window| window == self.0);
        Ok(if found { ScanVerdict::Infected } else { ScanVerdict::Clean })
    }
}

#[tokio::test]
async fn a_paper_that_the_scanner_refuses_is_not_kept() {
    // D83
    let scanner: Arc<dyn PaperScanner> = Arc::new(Refuses(b"EICAR"));
    let app = Setup { scanner: Some(scanner), ..Setup::default() }.start().await;
    let (claim, _) = app.has_claim().await;
    let mut bytes = pdf(200_000);
    bytes.extend_from_slice(b"EICAR");
    app.uploads(&claim, "", "application/pdf", bytes).await.has_faults_on(&["body"]);
    only_are_left(&app, 0, 0).await;
    assert_eq!(app.uploads(&claim, "", "application/pdf", pdf(200_000)).await.status, 201);
}

#[tokio::test]
async fn an_operator_attaches_a_document_to_a_claim_that_then_no_longer_misses_it() {
    // D83
    let app = App::start().await;
    let console = Console::start(&app.service);
    let passkey = &mut Authenticator::new(&console);
    let cookie = console.has_operator(&app, "Divya", &[Role::Support], passkey).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let (claim, _) = app.has_claim().await;
    let attach = async |claim: &str, paper: &str, file: Vec<u8>| {
        let url = format!("{}/operator/v1/claims/{claim}/attachments/{paper}", console.base);
        let answer = reqwest::Client::new().post(url).bearer_auth(session).body(file).send().await;
        let answer = answer.expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"))
    };
    let claims = &app.service.claims;
    let missing = async || {
        let id = claim.parse().expect("an id");
        let view = claims.view(claims.owner(id).await.expect("whose"), id).await.expect("there");
        claims.missing_papers(&view.shown.claim).await.expect("read")
    };
    let paper = missing().await.remove(0);
    let (status, attached) = attach(&claim, &paper, pdf(200_000)).await;
    assert_eq!((status, &attached["paper"]), (200, &json!(paper)), "{attached}");
    assert!(!missing().await.contains(&paper));
    assert_eq!(attach(&claim, "other", pdf(100)).await.0, 200);
    for (of, paper, file, refused) in [
        (claim.as_str(), "other", b"no document".to_vec(), 400),
        (&claim, "other", Vec::new(), 400),
        (&claim, "unknown-paper", pdf(100), 400),
        ("clm_01m8kh5c7ze2dv9njcbgag5bk7", "other", pdf(100), 404),
    ] {
        let (status, answer) = attach(of, paper, file).await;
        assert_eq!(status, refused, "{paper}: {answer}");
    }
}

#[tokio::test]
async fn documents_that_an_operator_asks_for_are_in_the_claim_its_event_and_todays_work() {
    // D83
    let app = App::start().await;
    let console = Console::start(&app.service);
    let passkey = &mut Authenticator::new(&console);
    let cookie = console.has_operator(&app, "Divya", &[Role::Claims], passkey).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let (claim, _) = app.has_claim().await;
    assert!(app.claim(&claim).await.get("papers_asked").is_none());
    let ask = async |by: &str| {
        let body = json!({ "text": "The hospital bill", "by": by });
        console.act("POST", &format!("/claims/{claim}/papers-asked"), session, &body).await
    };
    assert_eq!(ask("2026-11-19").await.0, 409, "the day is over");
    let (status, asked) = ask("2026-12-01").await;
    assert_eq!(status, 200, "{asked}");
    let shown = app.claim(&claim).await["papers_asked"].clone();
    assert_eq!(
        (&shown["text"], &shown["by"]),
        (&json!("The hospital bill"), &json!("2026-12-01")),
        "{shown}"
    );
    let events = app.get("/v1/events?type=claim.papers_asked").await.json();
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1), "{events}");
    let (_, today) = console.act("GET", "/waiting", session, &json!({})).await;
    assert!(today.to_string().contains("papers asked until 2026-12-01"), "{today}");
    let rejected = ClaimVerdict {
        state: domain::claim::ClaimState::Rejected,
        approved: None,
        refunds: None,
        reason: None,
    };
    let rejected =
        ClaimVerdict { reason: Some(domain::person::PersonalLine::kept("Not covered".into())), ..rejected };
    app.service
        .claims
        .decide(claim.parse().expect("an id"), domain::proposal::Actor::Operator, rejected)
        .await
        .expect("decided");
    assert_eq!(ask("2026-12-01").await.0, 409, "it takes no documents");
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}
