//! Where and for whom a cursor of a list is valid (interface §8, §10, §12; D3, D31, D33).

use crate::lists::{LETTERS, LISTS, List, TODAY, UNKNOWN_SESSION, WAYS, text};
use crate::support::{App, Setup};

/// A service without workers, so that pages of quotes do not change.
async fn resting() -> App {
    Setup { workers: 0, ..Setup::default() }.start().await
}

#[tokio::test]
async fn a_cursor_with_any_character_changed_is_a_fault() {
    // D33
    let app = resting().await;
    for list in LISTS {
        for (_, middle) in list.middle_pages(&app).await {
            for (parameter, field) in WAYS {
                changed_anywhere_is_a_fault(&app, list, parameter, text(&middle, field)).await;
                list.page(&app, &format!("{parameter}={}", text(&middle, field))).await;
            }
        }
    }
}

async fn changed_anywhere_is_a_fault(app: &App, list: List, parameter: &str, cursor: &str) {
    for place in 0..cursor.len() {
        let own = LETTERS.iter().position(|letter| *letter == cursor.as_bytes()[place]);
        let own = own.unwrap_or_else(|| panic!("place {place} of {cursor}"));
        // Every other character in the last place, which has unused bits; one other character elsewhere.
        let steps = if place + 1 == cursor.len() { 1..64 } else { 1 + place % 63..2 + place % 63 };
        for step in steps {
            let mut changed = cursor.as_bytes().to_vec();
            changed[place] = LETTERS[(own + step) % 64];
            let changed = String::from_utf8(changed).expect("ASCII");
            list.refuses(app, &format!("{parameter}={changed}"), &[parameter]).await;
        }
    }
}

#[tokio::test]
async fn a_shortened_or_extended_cursor_is_refused() {
    // D33
    let app = resting().await;
    for list in LISTS {
        let [(_, middle), _] = list.middle_pages(&app).await;
        let cursor = text(&middle, "end_cursor");
        for cut in 1..cursor.len() {
            list.refuses(&app, &format!("next={}", &cursor[..cut]), &["next"]).await;
        }
        for bad in no_cursors(cursor, &list.ids(&middle)[0]) {
            list.refuses(&app, &format!("next={bad}"), &["next"]).await;
            list.refuses(&app, &format!("prev={bad}"), &["prev"]).await;
            list.refuses(&app, &format!("{TODAY}&next={bad}"), &["next"]).await;
        }
        for (parameter, field) in WAYS {
            // Spaces around a cursor are ignored.
            let cursor = text(&middle, field);
            let plain = list.page(&app, &format!("{parameter}={cursor}")).await;
            assert_eq!(list.page(&app, &format!("{parameter}=%20{cursor}%20")).await, plain);
            list.refuses(&app, &format!("{parameter}={}", &cursor[..cursor.len() - 1]), &[parameter]).await;
        }
    }
}

/// Texts that are not cursors: longer or shorter than one, or something else.
fn no_cursors(cursor: &str, id: &str) -> Vec<String> {
    vec![
        format!("{cursor}A"),
        format!("{cursor}AAAA"),
        format!("{cursor}="),
        format!("{cursor}%3D%3D"),
        format!("{cursor}{cursor}"),
        format!("A{cursor}"),
        format!("%00{cursor}"),
        cursor[1..].to_owned(),
        cursor.to_uppercase(),
        cursor.chars().rev().collect(),
        "A".repeat(cursor.len()),
        "x".repeat(501),
        "x".repeat(5000),
        "x".into(),
        "null".into(),
        "0".into(),
        "-1".into(),
        "%FF".into(),
        UNKNOWN_SESSION.into(),
        id.into(),
    ]
}

#[tokio::test]
async fn a_cursor_is_valid_only_for_its_own_list_partner_and_server() {
    // D3, D33
    let (app, elsewhere) = (resting().await, resting().await);
    let other = app.new_partner("Other Lender").await;
    for list in LISTS {
        list.has(&app, &other, None, 1).await;
        for (filter, middle) in list.middle_pages(&app).await {
            for (parameter, field) in WAYS {
                let query = format!("{parameter}={}", text(&middle, field));
                for query in [query.clone(), format!("{filter}&{query}")] {
                    let path = format!("{}?{query}", list.path);
                    let theirs = app.as_partner(&other, "GET", &path, None).await;
                    list.is_faulty(&theirs, &[parameter], &query);
                    list.refuses(&elsewhere, &query, &[parameter]).await;
                    for another in LISTS.into_iter().filter(|another| *another != list) {
                        another.refuses(&app, &query, &[parameter]).await;
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_may_be_sent_alone_or_with_its_own_filter_but_with_no_other_filter() {
    // D31
    let app = resting().await;
    for list in LISTS {
        let [(session, by_session), (_, by_day)] = list.middle_pages(&app).await;
        for (parameter, field) in WAYS {
            let cursor = format!("{parameter}={}", text(&by_session, field));
            let alone = list.page(&app, &cursor).await;
            assert_eq!(alone["count"], 9);
            assert_eq!(list.page(&app, &format!("{session}&{cursor}")).await, alone);
            assert_eq!(list.page(&app, &format!("{session}&start_date=&end_date=&{cursor}")).await, alone);
            let another = app.has_session().await;
            for filter in [&another, UNKNOWN_SESSION, "x"] {
                list.refuses(&app, &format!("session_id={filter}&{cursor}"), &["session_id"]).await;
            }
            list.refuses(&app, &format!("{TODAY}&{cursor}"), &["start_date"]).await;
            list.refuses(&app, &format!("{TODAY}&{session}&{cursor}"), &["session_id"]).await;

            let cursor = format!("{parameter}={}", text(&by_day, field));
            let alone = list.page(&app, &cursor).await;
            assert_eq!(alone["count"], 9);
            assert_eq!(list.page(&app, &format!("{TODAY}&{cursor}")).await, alone);
            for filter in
                ["start_date=2026-11-20", "end_date=2026-11-20", "start_date=2026-11-19&end_date=2026-11-20"]
            {
                list.refuses(&app, &format!("{filter}&{cursor}"), &["start_date"]).await;
            }
            list.refuses(&app, &format!("start_date=x&{cursor}"), &["start_date"]).await;
            list.refuses(&app, &format!("{session}&{cursor}"), &["session_id"]).await;
        }
    }
}

#[tokio::test]
async fn for_a_cursor_a_single_date_equals_the_period_that_it_stands_for() {
    // D31
    let app = resting().await;
    for list in LISTS {
        list.has(&app, app.partner(), None, 1).await;
        let alone = list.page(&app, "start_date=2026-11-14").await;
        let next = text(&alone, "end_cursor");
        for filter in
            ["start_date=2026-11-14", "end_date=2026-11-20", "start_date=2026-11-14&end_date=2026-11-20"]
        {
            list.is_behind_the_oldest(&list.page(&app, &format!("{filter}&next={next}")).await);
        }
    }
}

#[tokio::test]
async fn next_and_prev_do_not_go_together() {
    // D33
    let app = resting().await;
    for list in LISTS {
        for (filter, middle) in list.middle_pages(&app).await {
            let (next, prev) = (text(&middle, "end_cursor"), text(&middle, "start_cursor"));
            for query in [
                format!("next={next}&prev={prev}"),
                format!("next={next}&prev={next}"),
                format!("{filter}&next={next}&prev={prev}"),
                format!("{filter}&next={next}&prev={next}"),
            ] {
                list.refuses(&app, &query, &["prev"]).await;
            }
            // A blank cursor counts as absent.
            list.page(&app, &format!("next={next}&prev=")).await;
            list.page(&app, &format!("next=%20&prev={prev}")).await;
        }
        list.ask(&app, "next=x&prev=y").await.is_refused(400, "V4000");
    }
}

#[tokio::test]
async fn a_cursor_is_still_valid_a_year_later_with_another_token() {
    // D33: a position in a list, not a promise
    let mut app = resting().await;
    let mut walked = Vec::new();
    for list in LISTS {
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

#[tokio::test]
async fn a_cursor_does_not_reveal_the_ids_of_its_session_partner_or_records() {
    // D33: opaque; neither a session nor a record can be read from it
    let app = resting().await;
    for list in LISTS {
        let [(filter, middle), _] = list.middle_pages(&app).await;
        let session = filter.strip_prefix("session_id=").expect("by session");
        for (_, field) in WAYS {
            let cursor = text(&middle, field);
            assert!(cursor.bytes().all(|byte| LETTERS.contains(&byte)), "fit for an address: {cursor}");
            let bytes = crate::access::from_base64url(cursor);
            for id in [session.to_owned(), app.partner().id.to_string()].iter().chain(&list.ids(&middle)) {
                let shown = String::from_utf8_lossy(&bytes).into_owned();
                assert!(!shown.contains(id.as_str()) && !cursor.contains(&id[4..]), "{id} in {shown:?}");
            }
        }
    }
}
