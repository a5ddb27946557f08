//! `GET /v1/statements`, `GET /v1/statements/{statement_id}` and the download of a file (D85).

use serde_json::Value;

use crate::support::App;
use crate::support::bodies::with;

const PATH: &str = "/v1/statements";

/// An app whose partner sold a policy in a closed month.
async fn after_a_month() -> App {
    let mut app = App::start().await;
    app.has_policy().await;
    app.set_clock("2026-12-01T10:00:00+05:30").await;
    app.makes_statements("2026-11").await;
    app
}

async fn list(app: &App) -> Vec<Value> {
    let answer = app.get(PATH).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["statements"].as_array().expect("a list").clone()
}

/// The path of a file's URL, which is on this server.
fn on_this_server(app: &App, file: &Value) -> String {
    let url = file["url"].as_str().expect("an address");
    url.strip_prefix(&app.base).expect("on this server").to_owned()
}

#[tokio::test]
async fn a_partner_can_read_only_its_own_statements() {
    // D3, D85
    let app = after_a_month().await;
    let own = list(&app).await;
    assert_eq!(own.len(), 1, "no bordereau, and not the operator's tax: {own:?}");
    assert_eq!((&own[0]["kind"], &own[0]["month"]), (&"commission".into(), &"2026-11".into()));
    let id = own[0]["statement_id"].as_str().expect("an id");
    let other = app.new_partner("Other Lender").await;
    let theirs = app.as_partner(&other, "GET", PATH, None).await;
    assert_eq!(theirs.json()["statements"], Value::Array(Vec::new()));
    app.as_partner(&other, "GET", &format!("{PATH}/{id}"), None).await.is_refused(404, "R4040");
    for none in ["stm_01m5vvw3xreqg9aaa1afd2xg99", "pol_01m5vvw3xreqg9aaa1afd2xg99", "x"] {
        app.get(&format!("{PATH}/{none}")).await.is_refused(404, "R4040");
    }
    let bordereaux = app.service.statements.of_months(None, 10).await.expect("read");
    for foreign in bordereaux.iter().filter(|statement| statement.id.to_string() != id) {
        app.get(&format!("{PATH}/{}", foreign.id)).await.is_refused(404, "R4040");
    }
    let writer = app.new_partner_with("Writer", App::scopes(&["business.policy.write"]), 100).await;
    let token = app.token_of(&writer, &["business.policy.write"]).await;
    let writer = crate::support::Partner { token, ..writer };
    app.as_partner(&writer, "GET", PATH, None).await.is_refused(403, "A4030");
}

#[tokio::test]
async fn the_files_of_a_statement_have_download_addresses_that_work_for_ten_minutes() {
    // D30, D85
    let app = after_a_month().await;
    let id = list(&app).await[0]["statement_id"].as_str().expect("an id").to_owned();
    let detail = app.get(&format!("{PATH}/{id}")).await.json()["payload"].clone();
    let files = detail["files"].as_array().expect("a list").clone();
    let formats: Vec<&str> = files.iter().map(|file| file["format"].as_str().expect("a word")).collect();
    assert_eq!(formats, ["csv", "xlsx"]);
    for (file, begins) in files.iter().zip(["\u{feff}row_id,".as_bytes(), b"PK"]) {
        let path = on_this_server(&app, file);
        let response = app.request("GET", &path).send().await.expect("an answer");
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(header("content-length"), file["bytes"].to_string());
        let format = file["format"].as_str().expect("a word");
        assert_eq!(
            header("content-disposition"),
            format!("attachment; filename=\"CS-202611-0001.{format}\"")
        );
        assert_eq!(
            (header("cache-control"), header("x-content-type-options")),
            ("private, no-store".into(), "nosniff".into())
        );
        let bytes = response.bytes().await.expect("a body");
        assert!(bytes.starts_with(begins));
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes);
        let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(file["sha256"], hash);
    }
    let path = on_this_server(&app, &files[0]);
    let (head, last) = path.split_at(path.len() - 1);
    let changed = format!("{head}{}", if last == "A" { "B" } else { "A" });
    app.get_without_bearer(&changed).await.is_refused(404, "R4040");
    let certificate = path.replace("/v1/statements/files/", "/v1/embedded/policy/");
    app.get_without_bearer(&certificate).await.is_refused(404, "R4040");
    app.clock.advance(std::time::Duration::from_secs(601));
    app.get_without_bearer(&path).await.is_refused(410, "R4100");
}

#[tokio::test]
async fn a_listed_statement_shows_its_totals_of_premium_and_commission() {
    let app = after_a_month().await;
    let summary = list(&app).await.remove(0);
    let shown = with(with(summary, "statement_id", "[stm]".into()), "made_at", "[at]".into());
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"), @r#"
    {
      "kind": "commission",
      "made_at": "[at]",
      "month": "2026-11",
      "number": "CS-202611-0001",
      "paid": null,
      "rows": 1,
      "statement_id": "[stm]",
      "totals": {
        "base_premium": "1855.00",
        "commission": "0.00",
        "gst": "333.90",
        "gst_on_commission": "0.00",
        "payable": "0.00",
        "tax_deducted_at_source": "0.00",
        "total": "2188.90"
      }
    }
    "#);
}
