//! The one chromedriver of this test binary, which starts browsers.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use crate::browser::PATIENCE;

/// By their paths: other machines have other browsers besides.
const CHROMIUM: &str = "/usr/bin/chromium";
const CHROMEDRIVER: &str = "/usr/bin/chromedriver";

/// Starts chromedriver in a folder of its own. As soon as the tests are gone, however they went, its input ends: then
/// it is killed with every browser that is left, and the folder is removed. (A static value is never dropped, and
/// nobody is left to kill anything after a SIGKILL.) Its output is not kept open here, so that it ends with chromedriver.
const KEEPER: &str = r#"
    HOME=$1 TMPDIR=$1 $2 --port=0 </dev/null 2>&1 &
    exec >/dev/null
    trap : TERM
    read -r _
    kill 0
    wait
    for attempt in 1 2 3 4 5; do rm -rf "$1" && break; sleep 1; done
"#;

struct Chromedriver {
    address: String,
    /// Holds the keeper's input open.
    _keeper: Child,
}

impl Chromedriver {
    /// The port that chromedriver chooses is free for IPv6, and may be somebody's for IPv4: then it ends, and another is tried.
    fn start_somewhere() -> Result<Chromedriver, String> {
        for _ in 0..4 {
            let started = Self::start();
            if !started.as_ref().is_err_and(|why| why.contains("port not available")) {
                return started;
            }
        }
        Self::start()
    }

    fn start() -> Result<Chromedriver, String> {
        if ![CHROMIUM, CHROMEDRIVER].iter().all(|program| Path::new(program).exists()) {
            return Err(format!(
                "browser tests need {CHROMIUM} and {CHROMEDRIVER}: apt-get install chromium chromium-driver"
            ));
        }
        // Not below `target`: Chromium puts sockets there, whose paths must be short.
        let folder = tempfile::Builder::new().prefix("covernote-browsers-").tempdir();
        let folder = folder.map_err(|fault| format!("no folder for browsers: {fault}"))?.keep();
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "sh"])
            .arg(folder)
            .arg(CHROMEDRIVER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let mut keeper = keeper.map_err(|fault| format!("chromedriver does not start: {fault}"))?;
        let mut lines = BufReader::new(keeper.stdout.take().expect("piped")).lines().map_while(Result::ok);
        let mut said = Vec::new();
        loop {
            let Some(line) = lines.next() else {
                return Err(format!("chromedriver does not start: {}", said.join("\n")));
            };
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                // Whatever else it says must be read, or it would wait for a reader.
                std::thread::spawn(move || lines.for_each(drop));
                let address = format!("http://127.0.0.1:{}/", port.trim_end_matches('.'));
                return Ok(Chromedriver { address, _keeper: keeper });
            }
            said.push(line);
        }
    }
}

/// Where it listens. The first to ask starts it.
fn address() -> &'static str {
    static STARTED: OnceLock<Result<Chromedriver, String>> = OnceLock::new();
    match STARTED.get_or_init(Chromedriver::start_somewhere) {
        Ok(chromedriver) => &chromedriver.address,
        Err(fault) => panic!("{fault}"),
    }
}

/// A browser that knows nothing of any other: chromedriver gives each a folder for its user's data.
pub(crate) async fn new_session() -> Client {
    let arguments = [
        "--headless=new",
        // Tests may run as root, which Chromium's own sandbox refuses; the pages are ours.
        "--no-sandbox",
        "--disable-gpu",
        // Screenshots are taken without scroll bars; the layout should be the same.
        "--hide-scrollbars",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Containers have little shared memory.
        "--disable-dev-shm-usage",
        // No race for a port, and a browser whose chromedriver is gone ends by itself.
        "--remote-debugging-pipe",
        // A page that needs anything from another machine fails here, whether or not there is a network.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--no-proxy-server",
    ];
    let patience = u64::try_from(PATIENCE.as_millis()).expect("a minute");
    let capabilities = json!({
        "browserName": "chrome",
        "timeouts": { "pageLoad": patience, "script": patience },
        "goog:chromeOptions": { "binary": CHROMIUM, "args": arguments },
    });
    let capabilities: Capabilities = capabilities.as_object().expect("an object").clone();
    let session =
        ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(address()).await;
    session.unwrap_or_else(|fault| panic!("Chromium does not start: {fault}"))
}

/// The browser of a session, from a runtime that did not start it.
pub(crate) async fn existing_session(id: &str) -> Option<Client> {
    Client::with_existing_session(address(), id, HttpConnector::new()).await.ok()
}
