//! TLS in the program: the certificate, HTTP/1.1 and HTTP/2, the replacement of a certificate.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{Server, program, run, stderr};
use crate::wire::Connection;

/// Creates a certificate for `localhost` that only `curl --cacert` trusts.
pub fn make_certificate(folder: &Path, name: &str) {
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        // rustls does not accept a CA certificate as a server certificate.
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(folder.join(format!("{name}.key")))
        .arg("-out")
        .arg(folder.join(format!("{name}.pem")))
        .output()
        .expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn serve(folder: &Path) -> Server {
    let mut command = program(folder);
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]);
    command.env("COVERNOTE_TLS_CERTIFICATE", "own.pem").env("COVERNOTE_TLS_KEY", "own.key");
    let mut server = Server::listening(command);
    server.base = server.base.replace("http://127.0.0.1", "https://localhost");
    server
}

/// Runs curl with these arguments. Returns whether it succeeded, and the output.
fn curl(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut curl = Command::new("curl");
    curl.current_dir(folder).args(["--silent", "--show-error", "--include", "--http2", "--max-time", "10"]);
    curl.arg("--cacert");
    let output = curl.args(arguments).output().expect("curl is installed");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}

#[test]
fn a_tls_server_speaks_http1_and_http2_and_gives_no_answer_without_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    let server = serve(folder.path());
    let ready = format!("{}/readyz", server.base);
    for (version, first) in [("--http1.1", "HTTP/1.1 200"), ("--http2", "HTTP/2 200")] {
        let (good, answer) = curl(folder.path(), &["own.pem", version, &ready]);
        assert!(good && answer.starts_with(first), "{answer}");
        assert!(answer.contains("strict-transport-security: max-age=31536000"), "{answer}");
    }
    // A client without TLS gets no answer, and holds no connection.
    let address = server.base.replace("https://localhost", "127.0.0.1");
    let mut connection = Connection::open(&address);
    connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(connection.answer().is_none());
}

#[test]
fn http2_requests_that_are_refused_before_their_body_leave_the_connection_usable() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    let server = serve(folder.path());
    std::fs::write(folder.path().join("late"), vec![b' '; 300_000]).expect("written");
    let (quote, ready) = (format!("{}/v1/embedded/quote", server.base), format!("{}/readyz", server.base));
    let mut arguments = vec!["own.pem", &ready];
    let each = ["--next", "--silent", "--show-error", "--include", "--http2", "--cacert", "own.pem"];
    for _ in 0..20 {
        arguments.extend(each);
        arguments.extend(["--data-binary", "@late", "-H", "Content-Type: application/json", &quote]);
        arguments.extend(each);
        arguments.push(&ready);
    }
    let (_, answers) = curl(folder.path(), &arguments);
    let count = |status: &str| answers.matches(status).count();
    assert_eq!((count("HTTP/2 401"), count("HTTP/2 200")), (20, 21), "{answers}");
}

#[test]
fn a_replaced_tls_certificate_is_used_after_a_hangup_signal_if_its_key_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    let server = serve(folder.path());
    let ready = format!("{}/readyz", server.base);
    assert!(curl(folder.path(), &["own.pem", &ready]).0);
    make_certificate(folder.path(), "new");
    // An incomplete replacement: the key does not match the certificate, so the old pair stays in use.
    std::fs::copy(folder.path().join("own.pem"), folder.path().join("old.pem")).expect("copied");
    std::fs::copy(folder.path().join("new.key"), folder.path().join("own.key")).expect("copied");
    server.signal(rustix::process::Signal::HUP);
    let started = Instant::now();
    while !server.logged().iter().any(|line| line.contains("the TLS certificate was not replaced")) {
        assert!(started.elapsed() < Duration::from_secs(5), "the refusal is logged");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(curl(folder.path(), &["old.pem", &ready]).0);
    std::fs::copy(folder.path().join("new.pem"), folder.path().join("own.pem")).expect("copied");
    server.signal(rustix::process::Signal::HUP);
    while !curl(folder.path(), &["new.pem", &ready]).0 {
        assert!(started.elapsed() < Duration::from_secs(10), "the new certificate is used");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_server_does_not_start_if_its_tls_key_does_not_match_its_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    make_certificate(folder.path(), "other");
    let settings = "tls_certificate = 'own.pem'\ntls_key = 'other.key'\n";
    std::fs::write(folder.path().join("covernote.toml"), settings).expect("written");
    let refused = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("own.pem with other.key"), "{}", stderr(&refused));
    std::fs::write(folder.path().join("covernote.toml"), "tls_certificate = 'own.pem'\n").expect("written");
    let refused = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(stderr(&refused).contains("set both or neither"), "{}", stderr(&refused));
}
