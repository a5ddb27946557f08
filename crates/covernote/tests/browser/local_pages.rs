//! Small pages for tests of the browser harness itself.

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::routing::get;

/// The strictest policy for pages with scripts.
const STRICT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'";

/// Serves pages at their paths under the strict policy, until the test ends. Returns the address.
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
