//! Tests least ages in days or months (D75).

use domain::date::{BirthDate, Date, LeastAge};
use domain::health_quote::NotOffered;
use domain::quote::{NotPriced, QuoteRequest};

use crate::edit::{
    FLOATER, LEVEL, LEVEL_TABLE, PRODUCT, SAMPOORNA, TODAY, changed, family, health, load, request, variant,
};
use crate::reported::each_is_reported;

const CHILDREN: &str = "child_age = { least = 0,";

#[test]
fn the_minimum_age_of_a_child_can_be_given_in_days_or_months() {
    let from =
        |least: &str| load(&changed(FLOATER, CHILDREN, &format!("child_age = {{ least = \"{least}\",")));
    let refused = |least: &str, members: &str| {
        health(&from(least), SAMPOORNA).price(&family(members, "110001", 1_000_000), TODAY).err()
    };
    let too_young = |least| Some(NotOffered::ChildAgeFrom { least, most: 25 });
    let (days, months) = (LeastAge::Days(91), LeastAge::Months(6));
    assert_eq!(refused("91 days", "self:30 son:0.24"), too_young(days)); // 88 days
    assert_eq!(refused("91 days", "self:30 son:0.25"), None);
    assert_eq!(refused("91 days", "self:30 son:0"), None); // below one year
    assert_eq!(refused("91 days", "self:30 son:1"), None);
    assert_eq!(refused("6 months", "self:30 son:0.49"), too_young(months));
    assert_eq!(refused("6 months", "self:30 son:0.5"), None);
    let sentence = too_young(days).expect("a reason").to_string();
    assert_eq!(sentence, "This plan covers children from 91 days to 25 years of age.");
}

#[test]
fn the_minimum_age_for_credit_life_can_be_given_in_days() {
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        let Ok(text) = String::from_utf8(content.clone()) else { continue };
        *content = match path.as_str() {
            PRODUCT => {
                text.replacen("age_at_entry = { least = 18,", "age_at_entry = { least = \"91 days\",", 1)
            }
            LEVEL_TABLE => text.replace("18,35,", "0,35,"),
            "insurers/kalpanik/loan-suraksha-reducing.csv" => text.replace("18,35,", "0,35,"),
            _ => text,
        }
        .into_bytes();
    }
    let catalogue = load(&rating::Files::of(files).expect("plain paths"));
    let priced = |born: Date| {
        let born = BirthDate::kept(born);
        let asked = QuoteRequest { born, ..request(36, 50_000_000, 24) };
        variant(&catalogue, LEVEL).price(&asked, TODAY).map(|_| ())
    };
    let refused = NotPriced::AgeFrom { least: LeastAge::Days(91), most: 65 };
    assert_eq!(priced(Date::constant(2026, 8, 21)), Ok(())); // 91 days
    assert_eq!(priced(Date::constant(2026, 8, 22)), Err(refused.clone()));
    assert_eq!(priced(Date::constant(2030, 1, 1)), Err(refused.clone()));
    assert_eq!(priced(Date::constant(1960, 11, 20)), Err(refused.clone())); // 66 years
    assert_eq!(priced(Date::constant(1960, 11, 21)), Ok(()));
    let sentence = "This cover is for people from 91 days to 65 years of age when it starts.";
    assert_eq!(refused.to_string(), sentence);
}

#[test]
fn a_wrong_least_age_is_reported() {
    let reported = |message: &str| format!("{FLOATER}:@: {message}");
    let wanted = "`least` must be completed years, or days or months such as \"91 days\" or \"3 months\"";
    each_is_reported(&[
        (FLOATER, CHILDREN, "child_age = { least = \"91\",", &reported(&format!("{wanted}, not \"91\"."))),
        (
            FLOATER,
            CHILDREN,
            "child_age = { least = \"2 weeks\",",
            &reported(&format!("{wanted}, not \"2 weeks\".")),
        ),
        (
            FLOATER,
            CHILDREN,
            "child_age = { least = \"0 days\",",
            &reported(&format!("{wanted}, not \"0 days\".")),
        ),
        (
            FLOATER,
            CHILDREN,
            "child_age = { least = \"200 months\",",
            &reported("`least` must be at most 3650 days or 120 months."),
        ),
        (
            FLOATER,
            CHILDREN,
            "child_age = { least = 121,",
            &reported("`least` must be a whole number from 0 to 120."),
        ),
        (
            FLOATER,
            "child_age = { least = 0, most = 25 }",
            "child_age = { least = \"40 months\", most = 2 }",
            &reported("`child_age` has a `least` above its `most`."),
        ),
        (
            FLOATER,
            "child_age = { least = 0, most = 25 }",
            "child_age = { least = 0, most = \"90 days\" }",
            &reported("`most` must be a whole number, not text."),
        ),
    ]);
}
