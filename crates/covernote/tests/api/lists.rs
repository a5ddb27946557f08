//! The lists of health records, each with what differs from the others: what the tests of lists are run over.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::bodies::{imported_policy, imported_proposal, recommendation, with};
use crate::support::{Answer, App, Partner};

/// A list: where it is, what its page calls its records, and how a record of it is made.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct List {
    pub(crate) path: &'static str,
    pub(crate) records: &'static str,
    pub(crate) id: &'static str,
    /// The names under which a page says how many records match.
    pub(crate) totals: &'static [&'static str],
    pub(crate) needs_filter: bool,
    /// Records have an instant of their own; else they have a day alone, and those of one day go by their ids.
    pub(crate) by_instant: bool,
    made: Made,
}

/// How a record comes to be.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    /// A partner asks for a recommendation.
    ByRequest,
    /// The operator imports a line of this shape, which may name any session.
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

/// Well formed, and nobody's.
pub(crate) const UNKNOWN_SESSION: &str = "ses_01m5vvw3xreqg9aaa1afd2xg99";

/// The day on which records are made unless their test says otherwise.
pub(crate) const TODAY: &str = "start_date=2026-11-20&end_date=2026-11-20";

/// The characters of a cursor, each with the value that it stands for.
pub(crate) const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The two ways on from a page: the parameter, and the field of a page that has its value.
pub(crate) const WAYS: [(&str, &str); 2] = [("next", "end_cursor"), ("prev", "start_cursor")];

impl List {
    pub(crate) async fn ask(self, app: &App, query: &str) -> Answer {
        app.get(&format!("{}?{query}", self.path)).await
    }

    /// A page, which it is.
    pub(crate) async fn page(self, app: &App, query: &str) -> Value {
        let answer = self.ask(app, query).await;
        assert_eq!(answer.status, 200, "{}?{query}: {}", self.path, answer.text);
        answer.json()
    }

    /// The page behind another one.
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

    /// The ids on a page, as they stand.
    #[track_caller]
    pub(crate) fn ids(self, page: &Value) -> Vec<String> {
        let id = |record: &Value| record[self.id].as_str().expect("an id").to_owned();
        self.records(page).iter().map(id).collect()
    }

    pub(crate) async fn refuses(self, app: &App, query: &str, fields: &[&str]) {
        let answer = self.ask(app, query).await;
        self.is_faulty(&answer, fields, query);
    }

    /// These faults, no others, in sentences.
    #[track_caller]
    pub(crate) fn is_faulty(self, answer: &Answer, fields: &[&str], query: &str) {
        assert_eq!(answer.status, 400, "{}?{query}: {}", self.path, answer.text);
        answer.has_faults_on(fields);
        assert_eq!(answer.json()["instance"], self.path, "without its query");
        answer.says_what_must_be();
    }

    /// A page without records, of an empty list or behind an end: its cursors are blank.
    #[track_caller]
    pub(crate) fn is_empty(self, page: &Value) {
        assert_eq!(page[self.records], json!([]), "{page}");
        assert_eq!((&page["start_cursor"], &page["end_cursor"]), (&json!(""), &json!("")), "{page}");
    }

    /// A page without records to which a cursor led, behind the oldest record: `prev` leads back.
    pub(crate) fn is_behind_the_oldest(self, page: &Value) {
        assert_eq!((&page[self.records], &page["end_cursor"]), (&json!([]), &json!("")), "{page}");
        assert_ne!(page["start_cursor"], "", "{page}");
    }

    /// So many records of today, of a session where one is given: their ids, newest first. A quote is made a second
    /// after the one before; what is imported begins at nine o'clock each time.
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
                // An id begins with the time of its record; those of one instant go by their ids.
                ids.sort();
            }
        }
        ids.reverse();
        ids
    }

    /// A record of the usual partner at each of these instants, of a session where one is given: their ids in this
    /// order. A list by day takes the days of the instants. The clock may stand elsewhere afterwards.
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
                // One by one, so that nothing can be taken from the order of an import.
                for instant in instants {
                    let body = line.body(instant, session);
                    ids.extend(line.imported(app, app.partner(), vec![body]).await);
                }
            }
        }
        ids
    }

    /// Whether a record may name a session of another partner: a line of an import names what it likes.
    pub(crate) fn takes_any_session(self) -> bool {
        self.made != Made::ByRequest
    }

    /// The middle one of three pages of three, by session and by day, each with its filter.
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
    /// A line of an import of this instant, under numbers of its own.
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

/// What a recommendation is asked for with.
fn quote(session: Option<&str>) -> Value {
    match session {
        Some(session) => with(recommendation(), "session_id", json!(session)),
        None => recommendation(),
    }
}

/// A text of a page.
#[track_caller]
pub(crate) fn text<'v>(page: &'v Value, field: &str) -> &'v str {
    page[field].as_str().unwrap_or_else(|| panic!("{field}: {page}"))
}
