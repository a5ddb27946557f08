//! The lists of health records, with their differences. The tests of lists run over all of them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::bodies::{imported_policy, imported_proposal, recommendation, with};
use crate::support::{Answer, App, Partner};

/// A list: its path, the name of its records, and how a test creates a record.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct List {
    pub(crate) path: &'static str,
    pub(crate) records: &'static str,
    pub(crate) id: &'static str,
    /// Names of the fields that count matching records.
    pub(crate) totals: &'static [&'static str],
    pub(crate) needs_filter: bool,
    /// Whether records have an instant. Otherwise they have only a day, and are ordered by id within it.
    pub(crate) by_instant: bool,
    made: Made,
}

/// How a record is created.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    /// A partner asks for a recommendation.
    ByRequest,
    /// The operator imports a line of this shape, with any session.
    ByImport(Line),
}

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Proposal,
    Policy,
}

pub(crate) const QUOTES: List = List {
    path: "/v1/business/health/quotes",
    records: "quotes",
    id: "quote_id",
    totals: &["count"],
    needs_filter: true,
    by_instant: true,
    made: Made::ByRequest,
};

pub(crate) const PROPOSALS: List = List {
    path: "/v1/business/health/proposals",
    records: "proposals",
    id: "proposal_id",
    totals: &["count"],
    needs_filter: true,
    by_instant: true,
    made: Made::ByImport(Line::Proposal),
};

pub(crate) const POLICIES: List = List {
    path: "/v1/business/health/policies",
    records: "policies",
    id: "policy_id",
    totals: &["count", "total_count"],
    needs_filter: false,
    by_instant: false,
    made: Made::ByImport(Line::Policy),
};

pub(crate) const LISTS: [List; 3] = [QUOTES, PROPOSALS, POLICIES];

/// A well-formed id of no session.
pub(crate) const UNKNOWN_SESSION: &str = "ses_01m5vvw3xreqg9aaa1afd2xg99";

/// The day on which records are created by default.
pub(crate) const TODAY: &str = "start_date=2026-11-20&end_date=2026-11-20";

/// The characters of a cursor. The position is the value of a character.
pub(crate) const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Both directions from a page: the parameter, and the field of the page with its value.
pub(crate) const WAYS: [(&str, &str); 2] = [("next", "end_cursor"), ("prev", "start_cursor")];

impl List {
    pub(crate) async fn ask(self, app: &App, query: &str) -> Answer {
        app.get(&format!("{}?{query}", self.path)).await
    }

    /// Checks that the answer is a page, and returns it.
    pub(crate) async fn page(self, app: &App, query: &str) -> Value {
        let answer = self.ask(app, query).await;
        assert_eq!(answer.status, 200, "{}?{query}: {}", self.path, answer.text);
        answer.json()
    }

    /// The page after another one.
    pub(crate) async fn next(self, app: &App, page: &Value) -> Value {
        self.page(app, &format!("next={}", text(page, "end_cursor"))).await
    }

    /// The page before another one.
    pub(crate) async fn prev(self, app: &App, page: &Value) -> Value {
        self.page(app, &format!("prev={}", text(page, "start_cursor"))).await
    }

    /// The records on a page.
    #[track_caller]
    pub(crate) fn records(self, page: &Value) -> &Vec<Value> {
        page[self.records].as_array().unwrap_or_else(|| panic!("{page}"))
    }

    /// The ids on a page, in its order.
    #[track_caller]
    pub(crate) fn ids(self, page: &Value) -> Vec<String> {
        let id = |record: &Value| record[self.id].as_str().expect("an id").to_owned();
        self.records(page).iter().map(id).collect()
    }

    pub(crate) async fn refuses(self, app: &App, query: &str, fields: &[&str]) {
        let answer = self.ask(app, query).await;
        self.is_faulty(&answer, fields, query);
    }

    /// Checks that exactly these fields have faults, with sentences as messages.
    #[track_caller]
    pub(crate) fn is_faulty(self, answer: &Answer, fields: &[&str], query: &str) {
        assert_eq!(answer.status, 400, "{}?{query}: {}", self.path, answer.text);
        answer.has_faults_on(fields);
        assert_eq!(answer.json()["instance"], self.path, "without its query");
        answer.says_what_must_be();
    }

    /// Checks a page without records, of an empty list or after the last one: its cursors are blank.
    #[track_caller]
    pub(crate) fn is_empty(self, page: &Value) {
        assert_eq!(page[self.records], json!([]), "{page}");
        assert_eq!((&page["start_cursor"], &page["end_cursor"]), (&json!(""), &json!("")), "{page}");
    }

    /// Checks an empty page after the oldest record, to which a cursor led: `prev` leads back.
    pub(crate) fn is_behind_the_oldest(self, page: &Value) {
        assert_eq!((&page[self.records], &page["end_cursor"]), (&json!([]), &json!("")), "{page}");
        assert_ne!(page["start_cursor"], "", "{page}");
    }

    /// Creates records of today, in a session if given. Returns their ids, newest first. Quotes are a second
    /// apart; imported records start at nine o'clock each time.
    pub(crate) async fn has(
        self,
        app: &App,
        of: &Partner,
        session: Option<&str>,
        number: usize,
    ) -> Vec<String> {
        let mut ids = Vec::new();
        match self.made {
            Made::ByRequest => {
                for _ in 0..number {
                    app.clock.advance(Duration::from_secs(1));
                    ids.push(app.has_health_quote_of(of, quote(session)).await);
                }
            }
            Made::ByImport(line) => {
                let today = app.today();
                let at = |n: usize| format!("{today}T09:{:02}:{:02}+05:30", n / 60, n % 60);
                let lines = (0..number).map(|n| line.body(&at(n), session)).collect();
                ids = line.imported(app, of, lines).await;
                // An id starts with the time of its record. Records of the same instant are ordered by id.
                ids.sort();
            }
        }
        ids.reverse();
        ids
    }

    /// Creates a record of the default partner at each of these instants, in a session if given. Returns the
    /// ids in this order. A list by day uses the days of the instants. The clock may differ afterwards.
    pub(crate) async fn made_at(self, app: &App, session: Option<&str>, instants: &[&str]) -> Vec<String> {
        let mut ids = Vec::new();
        match self.made {
            Made::ByRequest => {
                for instant in instants {
                    app.clock.set(instant);
                    ids.push(app.has_health_quote_of(&app.refreshed().await, quote(session)).await);
                }
            }
            Made::ByImport(line) => {
                // One by one, so that the order of an import has no influence.
                for instant in instants {
                    let body = line.body(instant, session);
                    ids.extend(line.imported(app, app.partner(), vec![body]).await);
                }
            }
        }
        ids
    }

    /// Whether a record may name a session of another partner. An import line may name any.
    pub(crate) fn takes_any_session(self) -> bool {
        self.made != Made::ByRequest
    }

    /// The middle one of three pages with three records, by session and by day, each with its filter.
    pub(crate) async fn middle_pages(self, app: &App) -> [(String, Value); 2] {
        let session = app.has_session().await;
        self.has(app, app.partner(), Some(&session), 9).await;
        let mut pages = Vec::new();
        for filter in [format!("session_id={session}"), TODAY.to_owned()] {
            let first = self.page(app, &format!("{filter}&limit=3")).await;
            let middle = self.next(app, &first).await;
            pages.push((filter, middle));
        }
        pages.try_into().expect("two")
    }
}

impl Line {
    /// An import line with this instant, with its own numbers.
    fn body(self, instant: &str, session: Option<&str>) -> Value {
        let number = domain::id::PolicyId::new().to_string();
        let body = match self {
            Line::Proposal => {
                with(with(imported_proposal(), "created_at", json!(instant)), "quote_id", json!(number))
            }
            Line::Policy => {
                let instant: domain::date::Timestamp = instant.parse().expect("an instant");
                let day = domain::date::day_of(instant).to_string();
                let body = with(imported_policy(), "issuance_date", json!(day));
                with(with(body, "expiry_date", json!("2030-01-01")), "policy_number", json!(number))
            }
        };
        with(body, "session_id", json!(session))
    }

    async fn imported(self, app: &App, of: &Partner, lines: Vec<Value>) -> Vec<String> {
        match self {
            Line::Proposal => app.imports_proposals_of(of, lines).await,
            Line::Policy => app.imports_policies_of(of, lines).await,
        }
    }
}

/// The body of a request for a recommendation.
fn quote(session: Option<&str>) -> Value {
    match session {
        Some(session) => with(recommendation(), "session_id", json!(session)),
        None => recommendation(),
    }
}

/// A text field of a page.
#[track_caller]
pub(crate) fn text<'v>(page: &'v Value, field: &str) -> &'v str {
    page[field].as_str().unwrap_or_else(|| panic!("{field}: {page}"))
}
