//! Pages of a list: order, size, both directions, and walks while the list grows
//! (interface §8, §10, §12; D33).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::lists::{LISTS, List, TODAY, text};
use crate::support::App;

// Order.

#[tokio::test]
async fn records_come_newest_first_whatever_the_order_in_which_they_were_made() {
    // D33: by the time of the record
    let mut app = App::start().await;
    for list in LISTS {
        app.set_clock("2026-11-20T18:00:00+05:30").await;
        let session = app.has_session().await;
        let instants = [
            "2026-11-18T10:00:00+05:30",
            "2026-11-20T04:29:59Z",
            "1999-01-01T00:00:00+05:30",
            "2026-11-14T00:00:00+05:30",
            "2026-11-19T23:59:59+05:30",
        ];
        let made = list.made_at(&app, Some(&session), &instants).await;
        app.set_clock("2026-11-20T18:00:00+05:30").await;
        let newest_first = [1, 4, 0, 3, 2].map(|number: usize| made[number].clone());
        let by_session = list.page(&app, &format!("session_id={session}")).await;
        assert_eq!(list.ids(&by_session), newest_first);
        let by_day = list.page(&app, "start_date=2026-11-14&end_date=2026-11-20").await;
        assert_eq!(list.ids(&by_day), newest_first[..4]);
    }
}

#[tokio::test]
async fn records_with_equal_times_have_the_same_order_on_one_page_and_across_pages() {
    // D33
    let mut app = App::start().await;
    for list in LISTS {
        let made = list.made_at(&app, None, &["2026-11-20T10:00:00+05:30"; 12]).await;
        app.set_clock("2026-11-20T10:00:00+05:30").await;
        let whole = list.ids(&list.page(&app, TODAY).await);
        assert_eq!(whole.iter().collect::<BTreeSet<_>>(), made.iter().collect::<BTreeSet<_>>());
        assert_eq!(whole.len(), made.len());
        let mut walked = Vec::new();
        let mut page = list.page(&app, &format!("{TODAY}&limit=5")).await;
        while !list.records(&page).is_empty() {
            walked.extend(list.ids(&page));
            page = list.next(&app, &page).await;
        }
        assert_eq!(walked, whole);
    }
}

// Size of a page.

/// Texts that are not a valid page size.
const NO_SIZES: [&str; 18] = [
    "0",
    "101",
    "1000",
    "256",
    "-1",
    "-20",
    "1.5",
    "20.0",
    "1e1",
    "x",
    "20x",
    "0x10",
    "2%200",
    "%E0%A5%A8%E0%A5%A6",
    "99999999999999999999",
    "%FF",
    "null",
    "%2B20",
];

#[tokio::test]
async fn a_page_has_20_records_unless_limit_sets_another_size_from_1_to_100() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    for list in LISTS {
        let made = list.has(&app, app.partner(), Some(&session), 102).await;
        for (limit, size) in [
            ("", 20),
            ("&limit=", 20),
            ("&limit=%20", 20),
            ("&limit=1", 1),
            ("&limit=20", 20),
            ("&limit=100", 100),
        ] {
            for filter in [format!("session_id={session}"), TODAY.to_owned()] {
                let page = list.page(&app, &format!("{filter}{limit}")).await;
                assert_eq!(list.ids(&page), made[..size], "{limit}");
                assert_eq!(page["count"], 102, "all that match, whatever the page");
                assert_eq!((&page["has_next"], &page["has_prev"]), (&json!(true), &json!(false)));
            }
        }
        for bad in NO_SIZES {
            list.refuses(&app, &format!("{TODAY}&limit={bad}"), &["limit"]).await;
            list.refuses(&app, &format!("session_id={session}&limit={bad}"), &["limit"]).await;
        }
    }
}

#[tokio::test]
async fn a_cursor_keeps_the_page_size_until_another_limit_is_sent() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    for list in LISTS {
        let made = list.has(&app, app.partner(), Some(&session), 45).await;
        let first = list.page(&app, &format!("session_id={session}&limit=7")).await;
        let second = list.next(&app, &first).await;
        assert_eq!(list.ids(&second), made[7..14]);
        let third = list.page(&app, &format!("next={}&limit=3", text(&second, "end_cursor"))).await;
        assert_eq!(list.ids(&third), made[14..17]);
        let fourth = list.next(&app, &third).await;
        assert_eq!(list.ids(&fourth), made[17..20], "the new size stays");
        assert_eq!(list.ids(&list.prev(&app, &fourth).await), made[14..17]);
        let wider = list.page(&app, &format!("prev={}&limit=100", text(&fourth, "start_cursor"))).await;
        assert_eq!(list.ids(&wider), made[..17]);
        let plain = list.page(&app, &format!("session_id={session}")).await;
        let next = list.page(&app, &format!("next={}&limit=", text(&plain, "end_cursor"))).await;
        assert_eq!(list.ids(&next), made[20..40]);
    }
}

// Both directions.

#[tokio::test]
async fn next_and_prev_lead_through_the_same_pages_and_both_end_in_an_empty_page() {
    // interface §8; D33
    let app = App::start().await;
    for list in LISTS {
        for (number, size) in [(1, 1), (1, 20), (2, 1), (5, 20), (6, 2), (6, 3), (7, 3), (6, 6), (6, 100)] {
            let session = app.has_session().await;
            let made = list.has(&app, app.partner(), Some(&session), number).await;
            let pages: Vec<&[String]> = made.chunks(size).collect();
            let holds = |page: &Value, at: usize| {
                let shown = format!("page {at} of {number} by {size}: {page}");
                assert_eq!(list.ids(page), pages[at], "{shown}");
                assert_eq!(
                    (&page["count"], &page["session_id"]),
                    (&json!(number), &json!(session)),
                    "{shown}"
                );
                assert_eq!(
                    (page["has_prev"] == true, page["has_next"] == true),
                    (at > 0, at + 1 < pages.len()),
                    "{shown}"
                );
            };
            let is_an_end = |page: &Value, has_next: bool| {
                assert_eq!(list.ids(page), [""; 0]);
                assert_eq!((&page["has_next"], &page["has_prev"]), (&json!(has_next), &json!(!has_next)));
                assert_eq!((&page["count"], &page["session_id"]), (&json!(number), &json!(session)));
            };
            let mut current = list.page(&app, &format!("session_id={session}&limit={size}")).await;
            holds(&current, 0);
            // Before the newest record, both cursors continue: to the first page, or to newer records once
            // there are some.
            let before = list.prev(&app, &current).await;
            is_an_end(&before, true);
            holds(&list.next(&app, &before).await, 0);
            is_an_end(&list.prev(&app, &before).await, true);
            for at in 1..pages.len() {
                current = list.next(&app, &current).await;
                holds(&current, at);
            }
            let behind = list.next(&app, &current).await;
            is_an_end(&behind, false);
            list.is_behind_the_oldest(&behind);
            assert_eq!(list.ids(&list.prev(&app, &behind).await).last(), made.last());
            for at in (0..pages.len() - 1).rev() {
                // Only the last page may be incomplete. On the way back, pages start where they started
                // before.
                current = list.prev(&app, &current).await;
                holds(&current, at);
            }
        }
    }
}

// Walks through all pages.

/// What a walk through the pages saw.
struct Walk {
    seen: Vec<String>,
    last: Value,
}

/// Walks in one direction to the end. Towards the newest, it stops once it has seen every wanted record.
async fn walk(app: &App, list: List, from: Value, forward: bool, wanted: &BTreeSet<String>) -> Walk {
    let mut walk = Walk { seen: Vec::new(), last: from };
    loop {
        let mut found = list.ids(&walk.last);
        if !forward {
            found.reverse();
        }
        walk.seen.extend(found);
        let all = wanted.iter().all(|id| walk.seen.contains(id));
        let more = &walk.last[if forward { "has_next" } else { "has_prev" }];
        if *more == false || (!forward && all) {
            return walk;
        }
        walk.last = if forward { list.next(app, &walk.last).await } else { list.prev(app, &walk.last).await };
    }
}

/// Checks that each original was seen exactly once, in order.
#[track_caller]
fn saw_each_once(seen: &[String], originals: &[String]) {
    let found: Vec<&String> = seen.iter().filter(|id| originals.contains(id)).collect();
    assert_eq!(found, originals.iter().collect::<Vec<_>>());
    let different: BTreeSet<&String> = seen.iter().collect();
    assert_eq!(different.len(), seen.len(), "nothing comes twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn paging_shows_each_original_record_exactly_once_while_others_are_being_added() {
    // D33: an imported record may be newer or older than the walk's position
    let app = App::start().await;
    for (list, limit) in LISTS.into_iter().flat_map(|list| [1, 20, 100].map(|limit| (list, limit))) {
        let session = app.has_session().await;
        let originals = list.has(&app, app.partner(), Some(&session), 45).await;
        let wanted: BTreeSet<String> = originals.iter().cloned().collect();
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let makes = async {
            let mut made = 0;
            while !*stopped.borrow() && made < 100 {
                list.has(&app, app.partner(), Some(&session), 1).await;
                made += 1;
            }
            made
        };
        let walks = async {
            let first = list.page(&app, &format!("session_id={session}&limit={limit}")).await;
            let there = walk(&app, list, first, true, &wanted).await;
            saw_each_once(&there.seen, &originals);
            assert_eq!(there.last["has_next"], false);
            // Back from behind the end, to read the last page again.
            let oldest = list.prev(&app, &there.last).await;
            let mut back = walk(&app, list, oldest, false, &wanted).await;
            let mut tail = list.ids(&there.last);
            tail.reverse();
            back.seen.splice(0..0, tail);
            back.seen.reverse();
            saw_each_once(&back.seen, &originals);
            stop.send(true).expect("heard");
        };
        // The first future is the one that the other one may overtake.
        let (made, ()) = tokio::join!(makes, walks);
        assert!(made > 0, "others were being made");
        // Once nothing changes, all records are present and counted.
        let rest = list.page(&app, &format!("session_id={session}&limit=100")).await;
        assert_eq!(rest["count"], 45 + made);
        let all = walk(&app, list, rest, true, &BTreeSet::new()).await.seen;
        let all: BTreeSet<String> = all.into_iter().collect();
        assert_eq!((all.len(), all.is_superset(&wanted)), (45 + made, true));
    }
}

#[tokio::test]
async fn paging_shows_each_original_record_exactly_once_even_if_the_clock_jumps() {
    // D33
    let mut app = App::start().await;
    for list in LISTS {
        for (limit, jumps) in
            [(3, ["09:00:00", "10:00:05", "11:00:00"]), (7, ["10:00:10", "08:00:00", "09:59:00"])]
        {
            app.set_clock("2026-11-20T10:00:00+05:30").await;
            let session = app.has_session().await;
            let originals = list.has(&app, app.partner(), Some(&session), 20).await;
            let mut current = list.page(&app, &format!("session_id={session}&limit={limit}")).await;
            let mut seen = list.ids(&current);
            let mut jumps = jumps.iter().cycle();
            while current["has_next"] == true && seen.len() < 100 {
                // A wrong clock: a new record may be older than the walk's position, or newer.
                let instant = format!("2026-11-20T{}+05:30", jumps.next().expect("a cycle"));
                app.set_clock(&instant).await;
                list.made_at(&app, Some(&session), &[&instant]).await;
                current = list.next(&app, &current).await;
                seen.extend(list.ids(&current));
            }
            saw_each_once(&seen, &originals);
        }
    }
}
