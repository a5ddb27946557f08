//! Edges of days, in one table each: midnight in Kolkata, the 18th birthday, 29 February (D25, D32).

use serde_json::json;

use crate::support::bodies::{self, with};
use crate::support::{App, Setup};

/// Instant, date of birth, and whether a cover from age 18 on has a price.
const EIGHTEENTH_BIRTHDAYS: &[(&str, &str, bool)] = &[
    // The day before the birthday, to the last microsecond; then the birthday, from midnight in Kolkata.
    ("2026-11-19T23:59:59.999999+05:30", "20/11/2008", false),
    ("2026-11-20T00:00:00+05:30", "20/11/2008", true),
    // The same instants written with the offset of London: there the date is still the 19th.
    ("2026-11-19T18:29:59.999999Z", "20/11/2008", false),
    ("2026-11-19T18:30:00Z", "20/11/2008", true),
    // Midnight in London is half past five in the morning in Kolkata.
    ("2026-11-20T00:00:00Z", "21/11/2008", false),
    // Born on 29 February: a year older on 1 March if the year has no 29 February, otherwise on that day.
    ("2026-02-28T23:59:59.999999+05:30", "29/02/2008", false),
    ("2026-03-01T00:00:00+05:30", "29/02/2008", true),
    ("2030-02-28T23:59:59.999999+05:30", "29/02/2012", false),
    ("2030-03-01T00:00:00+05:30", "29/02/2012", true),
    // On 29 February, a person born on 28 February turned older yesterday; a person born on 1 March not yet.
    ("2028-02-29T12:00:00+05:30", "28/02/2010", true),
    ("2028-02-29T12:00:00+05:30", "01/03/2010", false),
    ("2028-02-29T00:00:00+05:30", "29/02/2012", false),
    // The last and first day of a year.
    ("2026-12-31T23:59:59.999999+05:30", "01/01/2009", false),
    ("2027-01-01T00:00:00+05:30", "01/01/2009", true),
];

#[tokio::test]
async fn the_age_of_an_applicant_is_computed_from_the_date_in_kolkata() {
    // D25
    let app = App::start().await;
    for (instant, born, priced) in EIGHTEENTH_BIRTHDAYS {
        app.clock.set(instant);
        let partner = app.new_partner("A Lender").await;
        let body = with(bodies::quote(), "date_of_birth", json!(born));
        let answer = app.as_partner(&partner, "POST", "/v1/embedded/quote", Some(body)).await;
        let items = answer.json()["payload"]["recommendations"].clone();
        let items = items.as_array().unwrap_or_else(|| panic!("{}", answer.text));
        let level = items.iter().find(|item| item["variant_id"] == "vrt_01m5w4nayge0zt63z13f3ajgpk");
        let level = level.expect("Kalpanik's level cover, from 18 on");
        assert_eq!(level["is_error"] == false, *priced, "{instant}, born {born}: {level}");
    }
}

/// Instant of creation, `start_date`, `end_date`, and whether the quote is in the list.
const LISTED_DAYS: &[(&str, &str, &str, bool)] = &[
    ("2026-11-20T00:00:00+05:30", "2026-11-20", "2026-11-20", true),
    ("2026-11-20T23:59:59.999999+05:30", "2026-11-20", "2026-11-20", true),
    ("2026-11-19T23:59:59.999999+05:30", "2026-11-20", "2026-11-20", false),
    ("2026-11-21T00:00:00+05:30", "2026-11-20", "2026-11-20", false),
    // The same in London time: the day in Kolkata changes at 18:30.
    ("2026-11-19T18:30:00Z", "2026-11-20", "2026-11-20", true),
    ("2026-11-20T18:29:59.999999Z", "2026-11-20", "2026-11-20", true),
    ("2026-11-20T18:30:00Z", "2026-11-20", "2026-11-20", false),
    // Both end dates are included: eight days in total.
    ("2026-11-13T00:00:00+05:30", "2026-11-13", "2026-11-20", true),
    ("2026-11-12T23:59:59.999999+05:30", "2026-11-13", "2026-11-20", false),
    ("2026-11-20T23:59:59.999999+05:30", "2026-11-13", "2026-11-20", true),
    // Only one date: seven days from it, or up to it.
    ("2026-11-20T23:59:59.999999+05:30", "2026-11-14", "", true),
    ("2026-11-21T00:00:00+05:30", "2026-11-14", "", false),
    ("2026-11-14T00:00:00+05:30", "", "2026-11-20", true),
    ("2026-11-13T23:59:59.999999+05:30", "", "2026-11-20", false),
    // 29 February, in a leap year and around it in other years.
    ("2028-02-29T00:00:00+05:30", "2028-02-29", "2028-02-29", true),
    ("2028-02-29T23:59:59.999999+05:30", "2028-02-29", "2028-02-29", true),
    ("2028-03-01T00:00:00+05:30", "2028-02-29", "2028-02-29", false),
    ("2028-03-02T00:00:00+05:30", "2028-02-25", "", true),
    ("2028-03-03T00:00:00+05:30", "2028-02-25", "2028-03-03", true),
    ("2030-03-01T00:00:00+05:30", "2030-02-28", "2030-03-01", true),
    ("2030-03-04T00:00:00+05:30", "2030-02-25", "2030-03-04", true),
    // The last and first day of a year.
    ("2026-12-31T23:59:59.999999+05:30", "2026-12-31", "2027-01-01", true),
    ("2027-01-01T00:00:00+05:30", "2026-12-31", "2026-12-31", false),
];

#[tokio::test]
async fn the_date_filter_of_the_quote_list_selects_whole_days_in_kolkata() {
    // D31, D32
    let app = Setup { workers: 0, ..Setup::default() }.start().await;
    for (instant, start, end, listed) in LISTED_DAYS {
        app.clock.set(instant);
        // A new partner each time, so that only this quote is counted.
        let partner = app.new_partner("A Lender").await;
        let path = "/v1/business/health/recommendation";
        let made = app.as_partner(&partner, "POST", path, Some(bodies::recommendation())).await;
        assert_eq!(made.status, 200, "{}", made.text);
        let path = format!("/v1/business/health/quotes?start_date={start}&end_date={end}");
        let answer = app.as_partner(&partner, "GET", &path, None).await;
        assert_eq!(answer.status, 200, "{instant} {start} {end}: {}", answer.text);
        let (count, quotes) = (answer.json()["count"].clone(), answer.json()["quotes"].clone());
        let quotes = quotes.as_array().expect("a list").len();
        assert_eq!((count == 1, quotes == 1), (*listed, *listed), "{instant} {start} {end}");
    }
}
