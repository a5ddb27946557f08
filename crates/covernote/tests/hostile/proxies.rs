//! The proxies of docs/operating.md, configured as in the document except for addresses and files.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::address::reserved;
use crate::program::Server;
use crate::tls::make_certificate;

const DOCUMENT: &str = include_str!("../../../../docs/operating.md");

/// A proxy process, stopped on drop.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let id = rustix::process::Pid::from_raw(self.0.id().cast_signed()).expect("a process");
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        let _ = self.0.wait();
    }
}

/// The document's code block that begins with this line.
fn block(first: &str) -> &'static str {
    let start = DOCUMENT.find(first).unwrap_or_else(|| panic!("docs/operating.md has no {first:?}"));
    DOCUMENT[start..].split("\n```").next().expect("its end")
}

/// A server that trusts proxies on this machine.
fn serve(folder: &Path) -> Server {
    let settings = "trusted_proxies = '127.0.0.1'\nconnections_per_address = 4\nbase_url = 'https://partners.example.org'\n";
    std::fs::write(folder.join("covernote.toml"), settings).expect("written");
    Server::start(folder, &[])
}

fn curl(folder: &Path, port: u16, arguments: &[&str]) -> String {
    let mut curl = Command::new("curl");
    curl.current_dir(folder).args(["--silent", "--include", "--max-time", "10", "--cacert", "own.pem"]);
    let output = curl.arg("--http2").args(arguments).arg(format!("https://localhost:{port}/readyz"));
    String::from_utf8_lossy(&output.output().expect("curl is installed").stdout).into_owned()
}

/// Waits for the proxy, then sends more requests at once than one address may have connections.
fn works(folder: &Path, port: u16) {
    let started = Instant::now();
    while !curl(folder, port, &[]).starts_with("HTTP/2 200") {
        assert!(started.elapsed() < Duration::from_secs(20), "{}", curl(folder, port, &[]));
        std::thread::sleep(Duration::from_millis(100));
    }
    let address = format!("https://localhost:{port}/.well-known/jwks.json#[1-40]");
    let asked = curl(folder, port, &["--parallel", "--parallel-max", "20", &address]);
    assert_eq!(asked.matches("HTTP/2 200").count(), 41, "{asked}");
}

#[test]
fn nginx_with_the_documented_configuration_forwards_parallel_http2_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    let server = serve(folder.path());
    let port = reserved().port();
    let own = |name: &str| folder.path().join(name).display().to_string();
    // Debian 12 has nginx 1.22, which needs `listen … http2` instead of `http2 on`.
    let block = block("upstream covernote {")
        .replace("127.0.0.1:8080", server.base.strip_prefix("http://").expect("http"))
        .replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port} ssl http2;"))
        .replace("    http2 on;\n", "")
        .replace("/etc/ssl/partners.example.org.crt", &own("own.pem"))
        .replace("/etc/ssl/partners.example.org.key", &own("own.key"));
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {};\n", own(kind)))
        .concat();
    let settings = format!(
        "daemon off; pid {}; error_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{block}\n}}\n",
        own("pid")
    );
    std::fs::write(folder.path().join("nginx.conf"), settings).expect("written");
    let mut nginx = Command::new("/usr/sbin/nginx");
    nginx.arg("-p").arg(folder.path()).arg("-c").arg(folder.path().join("nginx.conf"));
    let _nginx = Proxy(nginx.stderr(Stdio::null()).spawn().expect("nginx is installed"));
    works(folder.path(), port);
}

#[test]
fn caddy_with_the_documented_configuration_forwards_parallel_http2_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificate(folder.path(), "own");
    let server = serve(folder.path());
    let port = reserved().port();
    let block = block("partners.example.org {\n")
        .replace("127.0.0.1:8080", server.base.strip_prefix("http://").expect("http"))
        .replacen(
            "partners.example.org {",
            &format!("https://localhost:{port} {{\n    tls own.pem own.key"),
            1,
        );
    let settings =
        format!("{{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n}}\n{block}\n");
    std::fs::write(folder.path().join("Caddyfile"), settings).expect("written");
    let mut caddy = Command::new("caddy");
    caddy.current_dir(folder.path()).env("HOME", folder.path());
    caddy.args(["run", "--config", "Caddyfile", "--adapter", "caddyfile"]);
    let _caddy =
        Proxy(caddy.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("caddy is installed"));
    works(folder.path(), port);
}
