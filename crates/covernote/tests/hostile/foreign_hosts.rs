//! Requests for another host, or for several.

use crate::program::Server;
use crate::victim::Scene;
use crate::wire::Connection;

fn status(address: &str, headers: &str) -> u16 {
    let mut connection = Connection::open(address);
    connection.send(format!("GET /livez HTTP/1.1\r\n{headers}\r\n").as_bytes());
    connection.answer().expect("an answer").status
}

#[tokio::test]
async fn a_request_must_have_exactly_one_host_header() {
    let scene = Scene::start("").await;
    assert_eq!(status(scene.address(), "Host: cover.example\r\n"), 200);
    assert_eq!(status(scene.address(), ""), 400);
    assert_eq!(status(scene.address(), "Host: a.example\r\nHost: b.example\r\n"), 400);
}

#[test]
fn the_demo_refuses_requests_whose_host_is_not_this_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Server::start(folder.path(), &["--demo"]);
    let address = demo.base.strip_prefix("http://").expect("http");
    for own in ["localhost", "127.0.0.1:8080", "[::1]:8080"] {
        assert_eq!(status(address, &format!("Host: {own}\r\n")), 200, "{own}");
    }
    for foreign in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080"] {
        assert_eq!(status(address, &format!("Host: {foreign}\r\n")), 400, "{foreign}");
    }
}
