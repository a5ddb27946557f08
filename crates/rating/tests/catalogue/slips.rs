//! Tests that careless edits of the sample never make the loader panic.

use proptest::prelude::*;
use rating::{Catalogue, Files};

use crate::edit::{TODAY, family, ill, request, sample};

/// A careless edit of a text.
#[derive(Debug, Clone)]
enum Slip {
    Drop(usize),
    Double(usize),
    Swap(usize, usize),
    Write(usize, String),
}

fn slips() -> impl Strategy<Value = Slip> {
    let word = prop_oneof![
        "[0-9]{1,30}",
        "[-=,.\"'{}\\[\\]#\n]{1,4}",
        "[a-z_]{1,8}",
        Just("\u{0}é₹".to_owned()),
        Just("[[[[".to_owned()),
        Just("nan".to_owned()),
        Just("9999-12-31".to_owned()),
        Just("{ least = 120, most = 120 }".to_owned()),
    ];
    prop_oneof![
        any::<usize>().prop_map(Slip::Drop),
        any::<usize>().prop_map(Slip::Double),
        (any::<usize>(), any::<usize>()).prop_map(|(one, other)| Slip::Swap(one, other)),
        (any::<usize>(), word).prop_map(|(at, word)| Slip::Write(at, word)),
    ]
}

/// Applies a slip to a text. A word is a run of letters and digits, or one other character.
fn slipped(text: &str, slip: &Slip) -> String {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        match words.last_mut().filter(|word| c.is_alphanumeric() && word.ends_with(char::is_alphanumeric)) {
            Some(word) => word.push(c),
            None => words.push(c.to_string()),
        }
    }
    if words.is_empty() {
        return String::new();
    }
    let count = words.len();
    let place = |at: &usize| at % count;
    match slip {
        Slip::Drop(at) => drop(words.remove(place(at))),
        Slip::Double(at) => words.insert(place(at), words[place(at)].clone()),
        Slip::Swap(one, other) => {
            let (one, other) = (place(one), place(other));
            words.swap(one, other);
        }
        Slip::Write(at, word) => {
            let place = place(at);
            words[place] = word.clone();
        }
    }
    words.concat()
}

/// Common files of the sample, an insurer of each line of business, and one more by number. Few files,
/// because the test loads them a thousand times.
fn some_of_the_sample(one_more: usize) -> Vec<(String, Vec<u8>)> {
    let more = ["abhas", "misaal", "prayog", "parikatha", "kahani"];
    let folders = ["kalpanik", "drishtant", more[one_more % more.len()]];
    let mut files = sample();
    files.retain(|(path, _)| match path.strip_prefix("insurers/") {
        Some(path) => folders.iter().any(|folder| path.starts_with(folder)),
        None => true,
    });
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn no_edit_of_the_sample_makes_the_loader_or_the_pricing_panic(one_more: usize, edits in prop::collection::vec((any::<usize>(), slips()), 1..4)) {
        let mut files = some_of_the_sample(one_more);
        for (file, slip) in &edits {
            let file = file % files.len();
            let text = String::from_utf8(files[file].1.clone()).expect("text");
            files[file].1 = slipped(&text, slip).into_bytes();
        }
        match Catalogue::load(&Files::of(files).expect("plain paths")) {
            Err(faults) => prop_assert!(!faults.is_empty() && faults.is_sorted()),
            Ok(catalogue) => {
                for variant in catalogue.all_credit_variants() {
                    for (age, months) in [(18, 1), (35, 12), (36, 13), (60, 84), (65, 60), (20, 360)] {
                        let asked = request(age, 10_000_000, months);
                        let outcome = variant.price(&asked, TODAY);
                        prop_assert_eq!(variant.explain(&asked, TODAY).outcome, outcome);
                    }
                }
                for variant in catalogue.all_health_variants() {
                    for members in ["self:18", "self:75 spouse:60", "self:26 son:0 son:25", "father:80 mother:50"] {
                        let asked = ill(family(members, "110001", 1_000_000), &["diabetes"]);
                        let outcome = variant.price(&asked, TODAY);
                        prop_assert_eq!(variant.explain(&asked, TODAY).outcome, outcome);
                    }
                }
            }
        }
    }
}
