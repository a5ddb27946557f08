//! Filters of a list: what they accept, and which records they find
//! (interface §8, §10, §12; D3, D11 to D13, D31, D32, D35, D47).

use serde_json::{Value, json};

use crate::lists::{LISTS, POLICIES, QUOTES, TODAY, UNKNOWN_SESSION, text};
use crate::support::App;
use crate::support::bodies::{imported_policy, with};

#[tokio::test]
async fn a_list_takes_a_session_or_dates_and_not_both() {
    // interface §8; D13, D31
    let app = App::start().await;
    let session = app.has_session().await;
    for list in LISTS {
        for dates in ["start_date=2026-11-20", "end_date=2026-11-20", TODAY] {
            list.refuses(&app, &format!("session_id={session}&{dates}"), &["session_id"]).await;
            list.refuses(&app, &format!("{dates}&session_id=unknown"), &["session_id"]).await;
            list.page(&app, dates).await;
            list.page(&app, &format!("session_id=&{dates}&next=&prev=&limit=")).await;
        }
        list.page(&app, &format!("session_id={session}&start_date=&end_date=")).await;
        list.page(&app, &format!("session_id={session}&start_date=&end_date=%20")).await;
        list.page(&app, &format!("session_id={session}&start_date=%20")).await;
    }
}

#[tokio::test]
async fn every_list_except_the_list_of_policies_requires_a_filter() {
    // interface §8, §10, §12; D13, D31
    let app = App::start().await;
    for list in LISTS {
        for none in
            ["", "x=1", "session_id=", "start_date=&end_date=", "session_id=%20%20&limit=20", "next=&prev="]
        {
            if list.needs_filter {
                list.refuses(&app, none, &["session_id"]).await;
            } else {
                list.is_empty(&list.page(&app, none).await);
            }
        }
    }
    let mut made = POLICIES.has(&app, app.partner(), None, 3).await;
    let older = with(imported_policy(), "issuance_date", json!("1999-12-31"));
    made.extend(app.imports_policies(vec![older]).await);
    let whole = POLICIES.page(&app, "").await;
    assert_eq!((POLICIES.ids(&whole), &whole["count"]), (made.clone(), &json!(4)));
    assert_eq!(whole["session_id"], Value::Null);
    // This list was read without a filter, so its cursors must be sent without one.
    let first = POLICIES.page(&app, "limit=3").await;
    assert_eq!((POLICIES.ids(&first), &first["has_next"]), (made[..3].to_vec(), &json!(true)));
    let second = POLICIES.next(&app, &first).await;
    assert_eq!((POLICIES.ids(&second), &second["count"]), (made[3..].to_vec(), &json!(4)));
    assert_eq!((&second["has_next"], &second["has_prev"]), (&json!(false), &json!(true)));
    assert_eq!(POLICIES.ids(&POLICIES.prev(&app, &second).await), made[..3]);
    let next = format!("next={}", text(&first, "end_cursor"));
    POLICIES.refuses(&app, &format!("{TODAY}&{next}"), &["start_date"]).await;
    POLICIES.refuses(&app, &format!("session_id={UNKNOWN_SESSION}&{next}"), &["session_id"]).await;
}

#[tokio::test]
async fn unknown_parameters_are_ignored() {
    // D12
    let app = App::start().await;
    for list in LISTS {
        let made = list.has(&app, app.partner(), None, 1).await;
        for query in
            ["&x=1", "&page=7", "&Session_id=x", "&start_date[]=x", "&=", "&&", "&limits=0", "&%FF=%FF"]
        {
            assert_eq!(list.ids(&list.page(&app, &format!("{TODAY}{query}")).await), made, "{query}");
        }
    }
}

#[tokio::test]
async fn a_parameter_that_comes_twice_is_a_fault() {
    // D11: it is not clear which of the two values counts
    let app = App::start().await;
    let session = app.has_session().await;
    for list in LISTS {
        list.refuses(&app, &format!("{TODAY}&start_date=2026-11-20"), &["start_date"]).await;
        list.refuses(&app, &format!("{TODAY}&end_date=2026-11-21"), &["end_date"]).await;
        list.refuses(&app, &format!("{TODAY}&limit=5&limit=5"), &["limit"]).await;
        list.refuses(&app, &format!("session_id={session}&session_id={session}"), &["session_id"]).await;
        list.refuses(&app, "next=x&next=y", &["next"]).await;
    }
}

/// Texts that are not a date as the contract writes it.
const NO_DAYS: [&str; 30] = [
    "2027-02-29",
    "1900-02-29",
    "2026-02-30",
    "2026-11-31",
    "2026-00-10",
    "2026-13-01",
    "2026-11-00",
    "2026-11-32",
    "0000-01-01",
    "2026-1-1",
    "26-11-20",
    "20261120",
    "2026/11/20",
    "20-11-2026",
    "20/11/2026",
    "2026-20-11",
    "2026-11-20T00:00:00",
    "2026-11-20Z",
    "2026-11-20%2B05:30",
    "%2B2026-11-20",
    "-2026-11-20",
    "2026-11",
    "2026",
    "2026-11-2O",
    "2026-W47-5",
    "today",
    "%E0%A5%A8%E0%A5%A6%E0%A5%A8%E0%A5%AC-11-20",
    "%FF",
    "%00",
    "1795000000",
];

#[tokio::test]
async fn a_date_must_be_a_real_calendar_day_in_iso_format() {
    // interface §8; D32
    let app = App::start().await;
    for list in LISTS {
        for good in ["2026-11-20", "2028-02-29", "2000-02-29", "1970-01-01", "2999-12-31", "%202026-11-20%20"]
        {
            list.page(&app, &format!("start_date={good}")).await;
            list.page(&app, &format!("end_date={good}")).await;
        }
        for bad in NO_DAYS {
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
    for list in LISTS {
        for (first, last) in [
            ("2026-11-20", "2026-11-20"),
            ("2026-11-20", "2026-11-21"),
            ("2026-11-20", "2026-11-27"),
            ("2026-12-28", "2027-01-04"),
            ("2028-02-22", "2028-02-29"),
            ("2028-02-23", "2028-03-01"),
            ("2027-02-22", "2027-03-01"),
        ] {
            list.page(&app, &format!("start_date={first}&end_date={last}")).await;
        }
        for (first, last) in [
            ("2026-11-20", "2026-11-28"),
            ("2026-11-20", "2026-12-20"),
            ("2026-11-20", "2027-11-20"),
            ("2028-02-22", "2028-03-01"),
            ("2027-02-21", "2027-03-01"),
            ("2026-11-20", "2026-11-19"),
            ("2026-11-20", "2025-11-20"),
            ("0001-01-01", "9999-12-31"),
            ("9999-12-31", "0001-01-01"),
        ] {
            list.refuses(&app, &format!("start_date={first}&end_date={last}"), &["end_date"]).await;
        }
    }
}

/// Named records on both sides of midnights in Kolkata.
const INSTANTS: [(&str, &str); 12] = [
    ("a", "2026-11-19T23:59:59.999999+05:30"),
    ("b", "2026-11-20T00:00:00+05:30"),
    ("c", "2026-11-20T23:59:59.999999+05:30"),
    ("d", "2026-11-21T00:00:00+05:30"),
    ("e", "2026-11-27T23:59:59.999999+05:30"),
    ("f", "2026-11-28T00:00:00+05:30"),
    // The same instants in UTC, where it is another day.
    ("g", "2026-12-31T18:29:59.999999Z"),
    ("h", "2026-12-31T18:30:00Z"),
    ("i", "2028-02-28T23:59:59.999999+05:30"),
    ("j", "2028-02-29T00:00:00+05:30"),
    ("k", "2028-02-29T23:59:59.999999+05:30"),
    ("l", "2028-03-01T00:00:00+05:30"),
];

/// Queries, with the names of the records that they find, newest first.
const PERIODS: [(&str, &str); 31] = [
    ("start_date=2026-11-19&end_date=2026-11-19", "a"),
    ("start_date=2026-11-20&end_date=2026-11-20", "cb"),
    ("start_date=2026-11-21&end_date=2026-11-21", "d"),
    ("start_date=2026-11-22&end_date=2026-11-26", ""),
    ("start_date=2026-11-27&end_date=2026-11-27", "e"),
    ("start_date=2026-11-20&end_date=2026-11-27", "edcb"),
    ("start_date=2026-11-21&end_date=2026-11-28", "fed"),
    // Only one date: the seven days from it, or up to it.
    ("start_date=2026-11-20", "dcb"),
    ("start_date=2026-11-21", "ed"),
    ("start_date=2026-11-22", "fe"),
    ("start_date=2026-11-13", "a"),
    ("start_date=2026-11-29", ""),
    ("end_date=2026-11-27", "ed"),
    ("end_date=2026-11-26", "dcb"),
    ("end_date=2026-11-25", "dcba"),
    ("end_date=2026-11-19", "a"),
    ("end_date=2026-11-18", ""),
    // The last and first day of a year, and a leap day.
    ("start_date=2026-12-31&end_date=2026-12-31", "g"),
    ("start_date=2027-01-01&end_date=2027-01-01", "h"),
    ("start_date=2026-12-31&end_date=2027-01-01", "hg"),
    ("start_date=2028-02-28&end_date=2028-02-28", "i"),
    ("start_date=2028-02-29&end_date=2028-02-29", "kj"),
    ("start_date=2028-03-01&end_date=2028-03-01", "l"),
    ("start_date=2028-02-22&end_date=2028-02-29", "kji"),
    ("start_date=2028-02-23&end_date=2028-03-01", "lkji"),
    ("start_date=2028-02-22", "i"),
    ("start_date=2028-02-23", "kji"),
    ("end_date=2028-03-06", "lkj"),
    ("end_date=2028-03-07", "l"),
    // Future dates are not a fault.
    ("start_date=2030-01-01", ""),
    ("end_date=2030-01-01", ""),
];

#[tokio::test]
async fn a_day_begins_and_ends_at_midnight_in_kolkata() {
    // D31, D32: the day of creation or issue, not of the import
    let mut app = App::start().await;
    for list in LISTS {
        app.set_clock("2028-03-02T00:00:00+05:30").await;
        let made = list.made_at(&app, None, &INSTANTS.map(|(_, instant)| instant)).await;
        app.set_clock("2028-03-02T00:00:00+05:30").await;
        for (query, wanted) in PERIODS {
            let page = list.page(&app, query).await;
            let name = |id: &String| INSTANTS[made.iter().position(|made| made == id).expect("made here")].0;
            let mut found: Vec<&str> = list.ids(&page).iter().map(name).collect();
            if !list.by_instant {
                // Within a day, records are ordered by id.
                found.sort_unstable();
                found.reverse();
            }
            let shown = format!("{}?{query}", list.path);
            assert_eq!((found.concat().as_str(), &page["count"]), (wanted, &json!(wanted.len())), "{shown}");
        }
    }
}

#[tokio::test]
async fn a_sessions_records_are_listed_whatever_their_day() {
    // interface §8; D31
    let mut app = App::start().await;
    for list in LISTS {
        app.set_clock("2026-11-20T10:00:00+05:30").await;
        let (one, other) = (app.has_session().await, app.has_session().await);
        let days = ["2026-11-20T12:00:00+05:30", "2026-12-31T12:00:00+05:30", "2027-06-15T12:00:00+05:30"];
        app.set_clock("2027-06-16T12:00:00+05:30").await;
        list.made_at(&app, Some(&other), &days).await;
        list.made_at(&app, None, &days).await;
        let mut made = list.made_at(&app, Some(&one), &days).await;
        made.reverse();
        app.set_clock("2027-06-16T12:00:00+05:30").await;
        let page = list.page(&app, &format!("session_id={one}")).await;
        assert_eq!((list.ids(&page), &page["count"]), (made, &json!(3)));
        for record in list.records(&page) {
            assert_eq!(record["session_id"], one.as_str());
        }
    }
}

#[tokio::test]
async fn the_session_id_of_a_page_is_that_of_the_filter_or_null_without_a_session_filter() {
    // interface §8, §10, §12; D35
    let app = App::start().await;
    let session = app.has_session().await;
    for list in LISTS {
        let of_session = list.has(&app, app.partner(), Some(&session), 3).await;
        list.has(&app, app.partner(), None, 3).await;
        let by_session = list.page(&app, &format!("session_id={session}&limit=2")).await;
        assert_eq!((list.ids(&by_session), &by_session["count"]), (of_session[..2].to_vec(), &json!(3)));
        assert_eq!(by_session["session_id"], session.as_str());
        for record in list.records(&by_session) {
            assert_eq!(record["session_id"], session.as_str());
        }
        let by_day = list.page(&app, &format!("{TODAY}&limit=2")).await;
        assert_eq!((&by_day["session_id"], &by_day["count"]), (&Value::Null, &json!(6)));
        assert!(by_day.as_object().expect("an object").contains_key("session_id"));
        // A cursor keeps the filter of its list.
        let next = list.next(&app, &by_session).await;
        assert_eq!((list.ids(&next), &next["session_id"]), (of_session[2..].to_vec(), &json!(session)));
        assert_eq!(list.next(&app, &by_day).await["session_id"], Value::Null);
    }
}

#[tokio::test]
async fn filtering_by_an_unknown_or_foreign_session_gives_an_empty_list() {
    // D3, D35, D47
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_session_of(&other).await;
    let own = app.has_session().await;
    for list in LISTS {
        list.has(&app, &other, Some(&foreign), 1).await;
        list.has(&app, app.partner(), None, 1).await;
        for session in [
            own.as_str(),
            &foreign,
            UNKNOWN_SESSION,
            "x",
            "ses_",
            &own.to_uppercase(),
            &foreign.to_uppercase(),
            &own.replace("ses_", "quo_"),
            &own[..29],
            "null",
            "7",
        ] {
            let page = list.page(&app, &format!("session_id={session}")).await;
            let mut wanted = json!({
                "has_next": false, "has_prev": false, "end_cursor": "", "start_cursor": "", "session_id": session,
            });
            wanted[list.records] = json!([]);
            for total in list.totals {
                wanted[*total] = json!(0);
            }
            assert_eq!(page, wanted);
        }
    }
}

#[tokio::test]
async fn a_partner_sees_only_its_own_records_in_a_list() {
    // D3: even with the same session id, because an import may name any session
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let session = app.has_session().await;
    for list in LISTS {
        let shared = list.takes_any_session().then_some(session.as_str());
        let mine = list.has(&app, app.partner(), Some(&session), 2).await;
        let theirs = list.has(&app, &other, shared, 3).await;
        for query in [TODAY.to_owned(), format!("session_id={session}")] {
            let seen = list.page(&app, &query).await;
            assert_eq!((list.ids(&seen), &seen["count"]), (mine.clone(), &json!(2)));
            let path = format!("{}?{query}", list.path);
            let seen = app.as_partner(&other, "GET", &path, None).await.json();
            let wanted = if query == TODAY || shared.is_some() { theirs.clone() } else { Vec::new() };
            assert_eq!((list.ids(&seen), &seen["count"]), (wanted.clone(), &json!(wanted.len())));
        }
    }
}

#[tokio::test]
async fn embedded_quotes_are_not_among_health_quotes() {
    // D46
    let app = App::start().await;
    app.has_quote().await;
    let page = QUOTES.page(&app, TODAY).await;
    QUOTES.is_empty(&page);
    assert_eq!(page["count"], 0);
}
