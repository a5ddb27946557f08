//! The single chromedriver of this test binary, which starts browsers.

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

/// Fixed paths, since a machine may have other browsers, too.
const CHROMIUM: &str = "/usr/bin/chromium";
const CHROMEDRIVER: &str = "/usr/bin/chromedriver";

/// A shell script that starts chromedriver in its own folder. When the tests are gone, for whatever reason,
/// the script's input ends. Then it kills chromedriver with all remaining browsers, and removes the folder.
/// (A static value is never dropped, and after a SIGKILL nothing else could do it.) The script closes its own
/// output, so that the output ends with chromedriver.
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
    /// Keeps the script's input open.
    _keeper: Child,
}

impl Chromedriver {
    /// Starts chromedriver. It chooses a port that is free for IPv6. If the port is taken for IPv4,
    /// chromedriver ends, and this tries again.
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
        // Not below `target`: Chromium creates sockets in it, whose paths must be short.
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
                // Further output must be read, or chromedriver would block on a full pipe.
                std::thread::spawn(move || lines.for_each(drop));
                let address = format!("http://127.0.0.1:{}/", port.trim_end_matches('.'));
                return Ok(Chromedriver { address, _keeper: keeper });
            }
            said.push(line);
        }
    }
}

/// Address of chromedriver. The first call starts it.
fn address() -> &'static str {
    static STARTED: OnceLock<Result<Chromedriver, String>> = OnceLock::new();
    match STARTED.get_or_init(Chromedriver::start_somewhere) {
        Ok(chromedriver) => &chromedriver.address,
        Err(fault) => panic!("{fault}"),
    }
}

/// A browser that shares nothing with others: chromedriver gives each its own user-data folder.
pub(crate) async fn new_session() -> Client {
    let arguments = [
        "--headless=new",
        // Tests may run as root, which Chromium's sandbox refuses. The pages are our own.
        "--no-sandbox",
        "--disable-gpu",
        // Screenshots have no scroll bars, so the layout must not have them, either.
        "--hide-scrollbars",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Containers have little shared memory.
        "--disable-dev-shm-usage",
        // No race for a port, and the browser ends if its chromedriver is gone.
        "--remote-debugging-pipe",
        // A page that needs another machine must fail here, with or without a network.
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

/// The browser of a session, for use in another runtime.
pub(crate) async fn existing_session(id: &str) -> Option<Client> {
    Client::with_existing_session(address(), id, HttpConnector::new()).await.ok()
}
