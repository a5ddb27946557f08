//! `/docs`: the site for partners' developers, and the way there (D99).

use serde_json::json;

use crate::support::App;

#[tokio::test]
async fn the_root_path_redirects_to_the_developer_site_whose_pages_have_no_inline_script() {
    let app = App::start().await;
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let first = client.get(format!("{}/", app.base)).send().await.expect("an answer");
    assert_eq!(
        (first.status().as_u16(), first.headers()["location"].to_str().expect("text")),
        (302, "/docs")
    );
    for path in
        ["/docs", "/docs/", "/docs/webhooks", "/docs/errors", "/docs/changelog", "/docs/search?q=nominee"]
    {
        let page = app.get_without_bearer(path).await;
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"),
            "{path}: {policy}"
        );
        assert!(page.text.contains("<h1"), "{path}");
        let scripts = page.text.matches("<script").count();
        assert_eq!(scripts, page.text.matches("<script src=\"/docs/assets/").count(), "{path}");
        assert!(!page.text.contains("{base_url}") && !page.text.contains("TODO"), "{path}");
    }
    let start = app.get_without_bearer("/docs/getting-started").await;
    assert!(start.text.contains(&app.base), "its lines are of this installation");
    let missing = app.get_without_bearer("/docs/nothing-here").await;
    assert_eq!(missing.status, 404);
    assert!(missing.text.contains("<h1"), "a page, not an error object");
}

#[tokio::test]
async fn the_documentation_search_finds_a_page_with_the_searched_words() {
    let app = App::start().await;
    let page = app.get_without_bearer("/docs/search?q=webhook+signature").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("/docs/webhooks#"), "{}", page.text);
}

#[tokio::test]
async fn the_versioning_page_shows_the_deprecation_headers_that_the_api_sends() {
    let app = App::start().await;
    let page = app.get_without_bearer("/docs/versioning").await;
    let answer = app.get("/v1/business/health/policies").await;
    for name in ["Deprecation", "Link"] {
        let sent = answer.header(&name.to_lowercase()).expect("a header");
        let shown = sent.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.text.contains(&format!("{name}: {shown}")), "{sent}: {}", page.text);
    }
    assert_eq!(answer.header("sunset"), None);
}

#[tokio::test]
async fn no_page_of_another_origin_can_call_the_api() {
    let app = App::start().await;
    let path = "/v1/embedded/quote";
    let asked = app.request("OPTIONS", path).header("origin", "https://app.example");
    let answer = app.send(asked.header("access-control-request-method", "POST")).await;
    answer.is_refused(405, "R4050");
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn an_error_response_links_to_the_documentation_page_of_its_code() {
    let app = App::start().await;
    let refused = app.post("/v1/embedded/quote", json!({})).await;
    refused.is_refused(400, "V4000");
    let link = refused.header("link").expect("a link").to_owned();
    assert_eq!(link, format!("<{}/docs/errors/V4000>; rel=\"help\"", app.base));
    let path = link.trim_start_matches('<').split('>').next().expect("an address").replace(&app.base, "");
    let page = app.get_without_bearer(&path).await;
    assert!(page.status == 200 && page.text.contains("V4000"), "{}", page.text);
    assert_eq!(app.get("/v1/embedded/options").await.header("link"), None, "nothing went wrong");
}

#[tokio::test]
async fn a_documentation_page_is_not_sent_again_if_the_browser_has_its_current_etag() {
    let app = App::start().await;
    for path in ["/docs/tokens", "/docs/assets/redoc.js"] {
        let first = app.send(app.request("GET", path)).await;
        let tag = first.header("etag").expect("a tag").to_owned();
        let again = app.send(app.request("GET", path).header("if-none-match", tag)).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
    }
}
