//! How the two deprecated lists are walked: filter, page size, cursors, all as with quotes
//! (interface §8, §10, §12; D3, D11, D13, D31 to D33, D35, D47).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::bodies::{imported_policy, imported_proposal, with};
use crate::support::{Answer, App, Partner};

/// A list, and what its page and its records are called.
#[derive(Clone, Copy)]
struct List {
    path: &'static str,
    records: &'static str,
    id: &'static str,
}

const PROPOSALS: List =
    List { path: "/v1/business/health/proposals", records: "proposals", id: "proposal_id" };
const POLICIES: List = List { path: "/v1/business/health/policies", records: "policies", id: "policy_id" };
const BOTH: [List; 2] = [PROPOSALS, POLICIES];

/// Well formed, and nobody's.
const UNKNOWN_SESSION: &str = "ses_01m5vvw3xreqg9aaa1afd2xg99";

/// The day on which records are made unless their test says otherwise.
const TODAY: &str = "start_date=2026-11-20&end_date=2026-11-20";

impl List {
    async fn ask(self, app: &App, query: &str) -> Answer {
        app.get(&format!("{}?{query}", self.path)).await
    }

    /// A page, which it is.
    async fn page(self, app: &App, query: &str) -> Value {
        let answer = self.ask(app, query).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        answer.json()
    }

    /// The ids on a page, as they stand.
    #[track_caller]
    fn ids(self, page: &Value) -> Vec<String> {
        let records = page[self.records].as_array().unwrap_or_else(|| panic!("{page}"));
        records.iter().map(|record| record[self.id].as_str().expect("an id").to_owned()).collect()
    }

    async fn refuses(self, app: &App, query: &str, fields: &[&str]) {
        let answer = self.ask(app, query).await;
        self.is_faulty(&answer, fields, query);
    }

    /// These faults, no others, in sentences.
    #[track_caller]
    fn is_faulty(self, answer: &Answer, fields: &[&str], query: &str) {
        assert_eq!(answer.status, 400, "{query}: {}", answer.text);
        answer.has_faults_on(fields);
        assert_eq!(answer.json()["instance"], self.path, "without its query");
        for field in fields {
            let message = answer.fault_on(field);
            assert!(message.contains(" found; ") && message.contains(" wanted"), "{message}");
        }
    }

    /// So many records of today, of a session where one is given: their ids, newest first.
    async fn has(self, app: &App, of: &Partner, session: Option<&str>, number: usize) -> Vec<String> {
        let today = app.today();
        let number_of = |place| format!("{}-{place}", domain::id::PolicyId::new());
        let lines = (0..number).map(|place| match self.records {
            "proposals" => {
                let created = format!("{today}T09:{:02}:{:02}+05:30", place / 60, place % 60);
                let line = with(imported_proposal(), "created_at", json!(created));
                with(with(line, "session_id", json!(session)), "quote_id", json!(number_of(place)))
            }
            _ => {
                let line = with(imported_policy(), "issuance_date", json!(today.to_string()));
                with(with(line, "session_id", json!(session)), "policy_number", json!(number_of(place)))
            }
        });
        let mut ids = match self.records {
            "proposals" => app.imports_proposals_of(of, lines.collect()).await,
            _ => app.imports_policies_of(of, lines.collect()).await,
        };
        // An id begins with the time of its record; those of one instant go by their ids.
        ids.sort();
        ids.reverse();
        ids
    }

    /// A page without records, of none or behind an end: its cursors are blank.
    #[track_caller]
    fn is_empty(self, page: &Value) {
        assert_eq!(page[self.records], json!([]), "{page}");
        assert_eq!((&page["start_cursor"], &page["end_cursor"]), (&json!(""), &json!("")), "{page}");
    }
}

fn text<'v>(page: &'v Value, field: &str) -> &'v str {
    page[field].as_str().unwrap_or_else(|| panic!("{field}: {page}"))
}

// The filter.

#[tokio::test]
async fn a_list_takes_a_session_or_dates_and_not_both() {
    // interface §8; D13, D31
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        for dates in ["start_date=2026-11-20", "end_date=2026-11-20", TODAY] {
            list.refuses(&app, &format!("session_id={session}&{dates}"), &["session_id"]).await;
            list.refuses(&app, &format!("{dates}&session_id=unknown"), &["session_id"]).await;
            list.page(&app, dates).await;
            list.page(&app, &format!("session_id=&{dates}&next=&prev=&limit=")).await;
        }
        list.page(&app, &format!("session_id={session}&start_date=&end_date=%20")).await;
    }
}

#[tokio::test]
async fn proposals_need_a_filter_and_policies_need_none() {
    // interface §10, §12; D13, D31
    let app = App::start().await;
    for none in
        ["", "x=1", "session_id=", "start_date=&end_date=", "session_id=%20%20&limit=20", "next=&prev="]
    {
        PROPOSALS.refuses(&app, none, &["session_id"]).await;
        POLICIES.is_empty(&POLICIES.page(&app, none).await);
    }
    let mut made = POLICIES.has(&app, app.partner(), None, 3).await;
    let older = with(imported_policy(), "issuance_date", json!("1999-12-31"));
    made.extend(app.imports_policies(vec![older]).await);
    let whole = POLICIES.page(&app, "").await;
    assert_eq!((POLICIES.ids(&whole), &whole["count"]), (made.clone(), &json!(4)));
    assert_eq!(whole["session_id"], Value::Null);
    // Its cursors go alone, since it has no filter that could be sent beside them.
    let first = POLICIES.page(&app, "limit=3").await;
    assert_eq!((POLICIES.ids(&first), &first["has_next"]), (made[..3].to_vec(), &json!(true)));
    let next = format!("next={}", text(&first, "end_cursor"));
    let second = POLICIES.page(&app, &next).await;
    assert_eq!((POLICIES.ids(&second), &second["count"]), (made[3..].to_vec(), &json!(4)));
    assert_eq!((&second["has_next"], &second["has_prev"]), (&json!(false), &json!(true)));
    let back = POLICIES.page(&app, &format!("prev={}", text(&second, "start_cursor"))).await;
    assert_eq!(POLICIES.ids(&back), made[..3]);
    POLICIES.refuses(&app, &format!("{TODAY}&{next}"), &["start_date"]).await;
    POLICIES.refuses(&app, &format!("session_id={UNKNOWN_SESSION}&{next}"), &["session_id"]).await;
}

#[tokio::test]
async fn unknown_parameters_are_ignored_and_a_known_one_comes_once() {
    // D11, D12
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        list.page(&app, &format!("{TODAY}&x=1&page=7&Session_id=x&=&&limits=0&%FF=%FF")).await;
        list.refuses(&app, &format!("{TODAY}&start_date=2026-11-20"), &["start_date"]).await;
        list.refuses(&app, &format!("{TODAY}&end_date=2026-11-21"), &["end_date"]).await;
        list.refuses(&app, &format!("{TODAY}&limit=5&limit=5"), &["limit"]).await;
        list.refuses(&app, &format!("session_id={session}&session_id={session}"), &["session_id"]).await;
        list.refuses(&app, "next=x&next=y", &["next"]).await;
    }
}

#[tokio::test]
async fn a_date_is_a_real_calendar_day() {
    // interface §8; D32
    let app = App::start().await;
    for list in BOTH {
        for good in ["2026-11-20", "2028-02-29", "1970-01-01", "2999-12-31", "%202026-11-20%20"] {
            list.page(&app, &format!("start_date={good}")).await;
            list.page(&app, &format!("end_date={good}")).await;
        }
        for bad in
            ["2027-02-29", "2026-11-31", "2026-1-1", "20/11/2026", "2026-11-20T00:00:00", "today", "%FF"]
        {
            list.refuses(&app, &format!("start_date={bad}"), &["start_date"]).await;
            list.refuses(&app, &format!("end_date={bad}"), &["end_date"]).await;
            list.refuses(&app, &format!("start_date={bad}&end_date=2026-11-20"), &["start_date"]).await;
        }
        list.refuses(&app, "start_date=x&end_date=y&limit=z", &["start_date", "end_date", "limit"]).await;
    }
}

#[tokio::test]
async fn the_last_day_is_0_to_7_days_after_the_first() {
    // interface, Limits; D31, D32
    let app = App::start().await;
    for list in BOTH {
        for last in ["2026-11-20", "2026-11-21", "2026-11-27"] {
            list.page(&app, &format!("start_date=2026-11-20&end_date={last}")).await;
        }
        for last in ["2026-11-28", "2026-12-20", "2027-11-20", "2026-11-19", "2025-11-20"] {
            list.refuses(&app, &format!("start_date=2026-11-20&end_date={last}"), &["end_date"]).await;
        }
    }
}

#[tokio::test]
async fn the_session_asked_for_is_named_and_none_where_none_was() {
    // interface §10, §12; D35
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        let of_session = list.has(&app, app.partner(), Some(&session), 3).await;
        list.has(&app, app.partner(), None, 3).await;
        let by_session = list.page(&app, &format!("session_id={session}&limit=2")).await;
        assert_eq!((list.ids(&by_session), &by_session["count"]), (of_session[..2].to_vec(), &json!(3)));
        assert_eq!(by_session["session_id"], session.as_str());
        for record in by_session[list.records].as_array().expect("a list") {
            assert_eq!(record["session_id"], session.as_str());
        }
        let by_day = list.page(&app, &format!("{TODAY}&limit=2")).await;
        assert_eq!((&by_day["session_id"], &by_day["count"]), (&Value::Null, &json!(6)));
        assert!(by_day.as_object().expect("an object").contains_key("session_id"));
        // A cursor asks for what its list asked for.
        let next = list.page(&app, &format!("next={}", text(&by_session, "end_cursor"))).await;
        assert_eq!((list.ids(&next), &next["session_id"]), (of_session[2..].to_vec(), &json!(session)));
        let next = list.page(&app, &format!("next={}", text(&by_day, "end_cursor"))).await;
        assert_eq!(next["session_id"], Value::Null);
    }
}

#[tokio::test]
async fn a_session_that_the_partner_does_not_have_has_no_records() {
    // D3, D35, D47
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_session_of(&other).await;
    for list in BOTH {
        list.has(&app, &other, Some(&foreign), 1).await;
        list.has(&app, app.partner(), None, 1).await;
        for session in [foreign.as_str(), UNKNOWN_SESSION, "x", "ses_", &foreign.to_uppercase(), "null"] {
            let page = list.page(&app, &format!("session_id={session}")).await;
            list.is_empty(&page);
            assert_eq!((&page["count"], &page["session_id"]), (&json!(0), &json!(session)));
            assert_eq!((&page["has_next"], &page["has_prev"]), (&json!(false), &json!(false)));
        }
    }
}

#[tokio::test]
async fn a_partner_sees_its_own_records_alone() {
    // D3: even under one session id, which an imported record may name as it likes
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let session = app.has_session().await;
    for list in BOTH {
        let mine = list.has(&app, app.partner(), Some(&session), 2).await;
        let theirs = list.has(&app, &other, Some(&session), 3).await;
        for query in [TODAY.to_owned(), format!("session_id={session}")] {
            let seen = list.page(&app, &query).await;
            assert_eq!((list.ids(&seen), &seen["count"]), (mine.clone(), &json!(2)));
            let path = format!("{}?{query}", list.path);
            let seen = app.as_partner(&other, "GET", &path, None).await.json();
            assert_eq!((list.ids(&seen), &seen["count"]), (theirs.clone(), &json!(3)));
        }
    }
}

// Pages.

#[tokio::test]
async fn a_page_is_20_unless_another_size_is_asked_for() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        let made = list.has(&app, app.partner(), Some(&session), 102).await;
        for (limit, size) in
            [("", 20), ("&limit=", 20), ("&limit=1", 1), ("&limit=20", 20), ("&limit=100", 100)]
        {
            for filter in [format!("session_id={session}"), TODAY.to_owned()] {
                let page = list.page(&app, &format!("{filter}{limit}")).await;
                assert_eq!(list.ids(&page), made[..size], "{limit}");
                assert_eq!(page["count"], 102, "all that match, whatever the page");
                assert_eq!((&page["has_next"], &page["has_prev"]), (&json!(true), &json!(false)));
            }
        }
        for bad in ["0", "101", "256", "-1", "1.5", "1e1", "x", "2%200", "%E0%A5%A8", "99999999999999999999"]
        {
            list.refuses(&app, &format!("{TODAY}&limit={bad}"), &["limit"]).await;
            list.refuses(&app, &format!("session_id={session}&limit={bad}"), &["limit"]).await;
        }
    }
}

#[tokio::test]
async fn a_cursor_keeps_its_size_until_another_is_asked_for() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        let made = list.has(&app, app.partner(), Some(&session), 30).await;
        let first = list.page(&app, &format!("session_id={session}&limit=7")).await;
        let second = list.page(&app, &format!("next={}", text(&first, "end_cursor"))).await;
        assert_eq!(list.ids(&second), made[7..14]);
        let third = list.page(&app, &format!("next={}&limit=3", text(&second, "end_cursor"))).await;
        assert_eq!(list.ids(&third), made[14..17]);
        let fourth = list.page(&app, &format!("next={}", text(&third, "end_cursor"))).await;
        assert_eq!(list.ids(&fourth), made[17..20], "the new size stays");
        let back = list.page(&app, &format!("prev={}", text(&fourth, "start_cursor"))).await;
        assert_eq!(list.ids(&back), made[14..17]);
        let wider = list.page(&app, &format!("prev={}&limit=100", text(&fourth, "start_cursor"))).await;
        assert_eq!(list.ids(&wider), made[..17]);
    }
}

#[tokio::test]
async fn pages_lie_side_by_side_both_ways_and_end_in_empty_ones() {
    // interface §8; D33
    let app = App::start().await;
    for list in BOTH {
        for (number, size) in [(1, 1), (2, 1), (6, 2), (7, 3), (6, 6), (6, 100)] {
            let session = app.has_session().await;
            let made = list.has(&app, app.partner(), Some(&session), number).await;
            let pages: Vec<&[String]> = made.chunks(size).collect();
            let holds = |page: &Value, at: usize| {
                let shown = format!("page {at} of {number} by {size}: {page}");
                assert_eq!(list.ids(page), pages[at], "{shown}");
                assert_eq!(page["count"], number, "{shown}");
                assert_eq!(page["has_prev"], at > 0, "{shown}");
                assert_eq!(page["has_next"], at + 1 < pages.len(), "{shown}");
            };
            let mut current = list.page(&app, &format!("session_id={session}&limit={size}")).await;
            holds(&current, 0);
            let before = list.page(&app, &format!("prev={}", text(&current, "start_cursor"))).await;
            list.is_empty(&before);
            assert_eq!((&before["has_next"], &before["has_prev"]), (&json!(true), &json!(false)));
            for at in 1..pages.len() {
                current = list.page(&app, &format!("next={}", text(&current, "end_cursor"))).await;
                holds(&current, at);
            }
            let behind = list.page(&app, &format!("next={}", text(&current, "end_cursor"))).await;
            list.is_empty(&behind);
            assert_eq!((&behind["has_next"], &behind["has_prev"]), (&json!(false), &json!(true)));
            assert_eq!(behind["count"], number);
            for at in (0..pages.len() - 1).rev() {
                current = list.page(&app, &format!("prev={}", text(&current, "start_cursor"))).await;
                holds(&current, at);
            }
        }
    }
}

#[tokio::test]
async fn a_walk_shows_each_original_once_while_others_are_brought_along() {
    // D33: an import brings records of any time, newer and older than those walked past
    let app = App::start().await;
    let session = app.has_session().await;
    for list in BOTH {
        let originals = list.has(&app, app.partner(), Some(&session), 20).await;
        let mut current = list.page(&app, &format!("session_id={session}&limit=3")).await;
        let mut seen = list.ids(&current);
        while current["has_next"] == true && seen.len() < 200 {
            list.has(&app, app.partner(), Some(&session), 2).await;
            current = list.page(&app, &format!("next={}", text(&current, "end_cursor"))).await;
            seen.extend(list.ids(&current));
        }
        let found: Vec<&String> = seen.iter().filter(|id| originals.contains(id)).collect();
        assert_eq!(found, originals.iter().collect::<Vec<_>>());
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "nothing comes twice");
    }
}

// Cursors.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl List {
    /// The middle one of three pages of three, by session and by day, each with its filter.
    async fn middle_pages(self, app: &App) -> [(String, Value); 2] {
        let session = app.has_session().await;
        self.has(app, app.partner(), Some(&session), 9).await;
        let mut pages = Vec::new();
        for filter in [format!("session_id={session}"), TODAY.to_owned()] {
            let first = self.page(app, &format!("{filter}&limit=3")).await;
            let middle = self.page(app, &format!("next={}", text(&first, "end_cursor"))).await;
            pages.push((filter, middle));
        }
        pages.try_into().expect("two")
    }
}

#[tokio::test]
async fn a_cursor_forged_cut_or_longer_is_a_fault() {
    // D33
    let app = App::start().await;
    for list in BOTH {
        let [(_, middle), _] = list.middle_pages(&app).await;
        for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
            let cursor = text(&middle, field);
            for place in 0..cursor.len() {
                let own = LETTERS.iter().position(|letter| *letter == cursor.as_bytes()[place]);
                let own = own.unwrap_or_else(|| panic!("place {place} of {cursor}"));
                let mut changed = cursor.as_bytes().to_vec();
                changed[place] = LETTERS[(own + 1) % 64];
                let changed = String::from_utf8(changed).expect("ASCII");
                list.refuses(&app, &format!("{parameter}={changed}"), &[parameter]).await;
            }
            for cut in [1, 2, 30, cursor.len() - 1] {
                list.refuses(&app, &format!("{parameter}={}", &cursor[..cut]), &[parameter]).await;
            }
            for bad in [
                format!("{cursor}A"),
                format!("{cursor}="),
                format!("{cursor}{cursor}"),
                format!("A{cursor}"),
                cursor.to_uppercase(),
                "A".repeat(cursor.len()),
                "x".repeat(501),
                "x".into(),
                "%FF".into(),
                UNKNOWN_SESSION.into(),
            ] {
                list.refuses(&app, &format!("{parameter}={bad}"), &[parameter]).await;
            }
            let plain = list.page(&app, &format!("{parameter}={cursor}")).await;
            assert_eq!(list.page(&app, &format!("{parameter}=%20{cursor}%20")).await, plain);
        }
    }
}

#[tokio::test]
async fn a_cursor_is_its_lists_its_partners_and_its_servers_alone() {
    // D3, D33
    let (app, elsewhere) = (App::start().await, App::start().await);
    let other = app.new_partner("Other Lender").await;
    app.has_health_quote(crate::support::bodies::recommendation()).await;
    let quotes = app.get(&format!("/v1/business/health/quotes?{TODAY}")).await.json();
    for (list, another) in [(PROPOSALS, POLICIES), (POLICIES, PROPOSALS)] {
        for (filter, middle) in list.middle_pages(&app).await {
            for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
                let query = format!("{parameter}={}", text(&middle, field));
                for query in [query.clone(), format!("{filter}&{query}")] {
                    let path = format!("{}?{query}", list.path);
                    let theirs = app.as_partner(&other, "GET", &path, None).await;
                    list.is_faulty(&theirs, &[parameter], &query);
                    list.refuses(&elsewhere, &query, &[parameter]).await;
                    another.refuses(&app, &query, &[parameter]).await;
                    app.get(&format!("/v1/business/health/quotes?{query}")).await.has_faults_on(&[parameter]);
                }
                list.refuses(&app, &format!("{parameter}={}", text(&quotes, field)), &[parameter]).await;
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_goes_alone_or_with_its_own_filter() {
    // D31
    let app = App::start().await;
    for list in BOTH {
        let [(session, by_session), (_, by_day)] = list.middle_pages(&app).await;
        for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
            let cursor = format!("{parameter}={}", text(&by_session, field));
            let alone = list.page(&app, &cursor).await;
            assert_eq!(alone["count"], 9);
            assert_eq!(list.page(&app, &format!("{session}&{cursor}")).await, alone);
            let another = app.has_session().await;
            for filter in [&another, UNKNOWN_SESSION, "x"] {
                list.refuses(&app, &format!("session_id={filter}&{cursor}"), &["session_id"]).await;
            }
            list.refuses(&app, &format!("{TODAY}&{cursor}"), &["start_date"]).await;
            list.refuses(&app, &format!("{TODAY}&{session}&{cursor}"), &["session_id"]).await;

            let cursor = format!("{parameter}={}", text(&by_day, field));
            let alone = list.page(&app, &cursor).await;
            assert_eq!(list.page(&app, &format!("{TODAY}&{cursor}")).await, alone);
            for filter in
                ["start_date=2026-11-20", "end_date=2026-11-20", "start_date=2026-11-19&end_date=2026-11-20"]
            {
                list.refuses(&app, &format!("{filter}&{cursor}"), &["start_date"]).await;
            }
            list.refuses(&app, &format!("{session}&{cursor}"), &["session_id"]).await;
        }
        let (next, prev) = (text(&by_day, "end_cursor"), text(&by_day, "start_cursor"));
        for query in [format!("next={next}&prev={prev}"), format!("{TODAY}&next={next}&prev={next}")] {
            list.refuses(&app, &query, &["prev"]).await;
        }
        list.page(&app, &format!("next={next}&prev=")).await;
        list.page(&app, &format!("next=%20&prev={prev}")).await;
    }
}

#[tokio::test]
async fn a_cursor_outlives_its_token_and_its_hour() {
    // D33: a place in a list, not a promise
    let mut app = App::start().await;
    let mut walked = Vec::new();
    for list in BOTH {
        let [(_, middle), _] = list.middle_pages(&app).await;
        let query = format!("next={}", text(&middle, "end_cursor"));
        let now = list.page(&app, &query).await;
        walked.push((list, query, now));
    }
    app.set_clock("2027-11-20T10:00:00+05:30").await;
    for (list, query, then) in walked {
        assert_eq!(list.page(&app, &query).await, then);
    }
}
