//! A browser with what a person sees in it.

use std::fmt::Debug;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep};

use crate::chromedriver;
use crate::look::Look;

/// Longest wait for anything. A busy machine must not fail a test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Most tests with a browser at the same time.
static PLACES: Semaphore = Semaphore::const_new(2);

/// A separate browser, without cookies or history. It is closed when it is dropped. If the test fails, its
/// last screen is saved in `target/screenshots/failed`.
///
/// Methods that look for something wait until it is there.
pub(crate) struct Browser {
    /// For commands without a method here.
    pub(crate) client: Client,
    pub(crate) look: Look,
    session: String,
    place: Option<SemaphorePermit<'static>>,
}

impl Browser {
    /// Opens a browser as soon as a place is free.
    pub(crate) async fn start(look: Look) -> Browser {
        let place = PLACES.acquire().await.expect("never closed");
        Browser::open_at(Some(place), look).await
    }

    /// Opens another browser for the same test, such as another person's. It takes no place: otherwise two
    /// tests that each wait for a second browser would block each other.
    pub(crate) async fn another(&self, look: Look) -> Browser {
        Browser::open_at(None, look).await
    }

    async fn open_at(place: Option<SemaphorePermit<'static>>, look: Look) -> Browser {
        let client = chromedriver::new_session().await;
        let session = client.session_id().await.expect("known").expect("open");
        // The browser is closed in `drop`, where this runtime may no longer exist.
        client.persist().await.expect("told");
        let mut browser = Browser { client, look, session, place };
        browser.set_look(look).await;
        browser
    }

    /// Changes the look of all pages opened from now on. This is faster than another browser.
    pub(crate) async fn set_look(&mut self, look: Look) {
        for (command, parameters) in look.commands() {
            self.devtools(command, parameters).await;
        }
        self.look = look;
    }

    // Pages.

    /// Opens an address, as if it was typed into the address bar.
    pub(crate) async fn open(&self, url: &str) {
        self.client.goto(url).await.unwrap_or_else(|fault| panic!("{url} does not open: {fault}"));
    }

    /// Goes back to the page before, by the browser's own button.
    pub(crate) async fn back(&self) {
        self.to_next_page("going back", async || self.client.back().await).await;
    }

    /// Loads the page again, by the browser's own button.
    pub(crate) async fn reload(&self) {
        self.to_next_page("loading it again", async || self.client.refresh().await).await;
    }

    /// The address that is shown.
    pub(crate) async fn url(&self) -> String {
        self.client.current_url().await.expect("an address").into()
    }

    /// The title of the tab.
    pub(crate) async fn title(&self) -> String {
        self.client.title().await.expect("a title")
    }

    // Content of the page.

    /// All the text on the page, with one space for many and for line breaks.
    pub(crate) async fn text(&self) -> String {
        self.eventually(async || self.text_now().await).await.expect("a page")
    }

    async fn text_now(&self) -> Option<String> {
        let text = self.attempt("return document.body.innerText", vec![]).await?;
        Some(in_one_line(text.as_str()?))
    }

    /// Waits until the text is on the page.
    pub(crate) async fn sees(&self, text: &str) {
        let wanted = in_one_line(text);
        let mut seen = String::new();
        let found = self
            .eventually(async || {
                seen = self.text_now().await?;
                seen.contains(&wanted).then_some(())
            })
            .await;
        assert!(found.is_some(), "there is no {text:?} on {}:\n{seen}", self.url().await);
    }

    /// Checks that the text is not on the present page.
    pub(crate) async fn does_not_see(&self, text: &str) {
        let seen = self.text().await;
        assert!(!seen.contains(&in_one_line(text)), "there is {text:?} on {}:\n{seen}", self.url().await);
    }

    /// The only first-level heading of the page.
    pub(crate) async fn heading(&self) -> String {
        let list = "return [...document.querySelectorAll('h1')].map(heading => heading.innerText)";
        let headings = self
            .eventually(async || {
                let headings = self.attempt(list, vec![]).await?.as_array()?.clone();
                (!headings.is_empty()).then_some(headings)
            })
            .await;
        match headings.as_deref() {
            Some([heading]) => in_one_line(heading.as_str().expect("text")),
            _ => panic!("{} should have one heading, and has {headings:?}", self.url().await),
        }
    }

    /// Checks that the page is not wider than the window.
    ///
    /// Compares with the layout's width, since on phones `innerWidth` grows with overflowing content.
    pub(crate) async fn has_no_horizontal_scroll(&self) {
        let widths = "return [document.scrollingElement.scrollWidth, document.documentElement.clientWidth]";
        let widths = self.execute(widths, vec![]).await;
        if widths[0].as_f64() <= widths[1].as_f64() {
            return;
        }
        let wide = "return [...document.querySelectorAll('body *')]
            .filter(element => element.getBoundingClientRect().right > document.documentElement.clientWidth)
            .map(element => element.cloneNode(false).outerHTML)";
        let wide = self.execute(wide, vec![]).await;
        panic!(
            "{} is {} px wide where {} px are shown, in {:?}; what stands out: {wide:#}",
            self.url().await,
            widths[0],
            widths[1],
            self.look
        );
    }

    /// Writes the whole page, from top to bottom, to `target/screenshots/<name>.png`.
    pub(crate) async fn screenshot(&self, name: &str) {
        let size = self.devtools("Page.getLayoutMetrics", json!({})).await["cssContentSize"].clone();
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let whole =
            json!({ "format": "png", "optimizeForSpeed": true, "captureBeyondViewport": true, "clip": clip });
        let picture = self.devtools("Page.captureScreenshot", whole).await;
        let picture = STANDARD.decode(picture["data"].as_str().expect("a picture")).expect("base64");
        write_screenshot(name, &picture);
    }

    // For other parts of the test harness.

    /// Runs a function body in the page. The page's Content-Security-Policy does not apply to it.
    pub(crate) async fn execute(&self, script: &str, arguments: Vec<Value>) -> Value {
        let answer = self.client.execute(script, arguments).await;
        answer.unwrap_or_else(|fault| panic!("a script of the tests fails: {fault}"))
    }

    /// The same, but `None` if the page is being replaced by another one.
    pub(crate) async fn attempt(&self, script: &str, arguments: Vec<Value>) -> Option<Value> {
        match self.client.execute(script, arguments).await {
            Ok(answer) => Some(answer),
            Err(CmdError::Standard(_)) => None,
            Err(fault) => panic!("chromedriver does not answer: {fault}"),
        }
    }

    /// Sends Chromium a command of its DevTools protocol.
    pub(crate) async fn devtools(&self, command: &'static str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        let answer = self.extension("goog/cdp/execute", Some(body)).await;
        answer.unwrap_or_else(|fault| panic!("Chromium refuses {command}: {fault}"))
    }

    /// Sends chromedriver a command that fantoccini does not know. With a body it is a POST.
    pub(crate) async fn extension(&self, path: &str, body: Option<Value>) -> Result<Value, CmdError> {
        self.client.issue_cmd(Extension { path: path.to_owned(), body }).await
    }

    /// Does something that leads to another page, and waits until the present page is gone. The next command
    /// waits until the new page is loaded.
    pub(crate) async fn to_next_page(&self, what: &str, act: impl AsyncFnOnce() -> Result<(), CmdError>) {
        let page = async || Some(self.client.find(Locator::Css("body")).await.ok()?.element_id());
        let before = page().await.expect("a page");
        act().await.unwrap_or_else(|fault| panic!("{what} fails: {fault}"));
        let gone = self.eventually(async || (page().await? != before).then_some(())).await;
        assert!(gone.is_some(), "{what} leads to no other page than {}", self.url().await);
    }

    /// Repeats `look` until it returns something, for [`PATIENCE`] at most.
    pub(crate) async fn eventually<T>(&self, mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let seen = look().await;
            if seen.is_some() || Instant::now() > deadline {
                return seen;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let session = self.session.clone();
        let failed = std::thread::panicking().then(|| {
            // The test harness names the thread after the test.
            let test = std::thread::current().name().unwrap_or("a test").replace("::", "-");
            format!("failed/{test}{}", if self.place.is_some() { "" } else { "-another" })
        });
        // On another thread with its own runtime, because the test's runtime does not run while the test
        // unwinds.
        let closing = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let Some(client) = chromedriver::existing_session(&session).await else { return };
                if let Some(name) = failed
                    && let Ok(picture) = client.screenshot().await
                {
                    write_screenshot(&name, &picture);
                }
                let _ = client.close().await;
            });
        });
        let _ = closing.join();
    }
}

#[derive(Debug)]
struct Extension {
    path: String,
    body: Option<Value>,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        base.join(&format!("session/{}/{}", session.expect("open"), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        match &self.body {
            Some(body) => (Method::POST, Some(body.to_string())),
            None => (Method::GET, None),
        }
    }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Path of the screenshot with this name.
pub(crate) fn screenshot_path(name: &str) -> PathBuf {
    // Cargo's folder for tests is `target/tmp`.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
    folder.join(format!("{name}.png"))
}

fn write_screenshot(name: &str, picture: &[u8]) {
    let path = screenshot_path(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, picture).expect("written");
}
