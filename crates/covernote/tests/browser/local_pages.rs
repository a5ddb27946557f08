//! Small pages for the tests of the harness itself.

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::routing::get;

/// As strict as pages can be that have scripts.
const STRICT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'";

/// Serves pages by their paths, under a strict policy, as long as the test runs. Returns where.
pub(crate) async fn serve(pages: &[(&'static str, &'static str)]) -> String {
    let router = pages.iter().fold(Router::new(), |router, &(path, content)| {
        let kind = match path.rsplit_once('.') {
            Some((_, "js")) => "text/javascript",
            Some((_, "css")) => "text/css",
            _ => "text/html; charset=utf-8",
        };
        router.route(path, get(([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, STRICT)], content)))
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("bound"));
    tokio::spawn(async { axum::serve(listener, router).await });
    address
}
