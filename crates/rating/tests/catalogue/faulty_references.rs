//! Tests faults between files: ids, references, missing files, unused files.

use rating::Files;

use crate::edit::{
    ACCIDENT, INSURER, LEVEL, LEVEL_TABLE, PER_LAKH, PER_LAKH_TABLE, PRODUCT, REDUCING, changed, sample,
    with, without,
};
use crate::reported::{each_is_reported, faults};

#[test]
fn a_malformed_or_duplicate_id_is_reported() {
    let malformed = "insurers/kalpanik/loan-suraksha.toml:@: `id` must be an id of vrt_ and 26 characters (see `covernote catalogue id`), not";
    each_is_reported(&[
        (
            PRODUCT,
            LEVEL,
            "pro_01m5w4nayge0zt63z13f3ajgpk",
            &format!("{malformed} \"pro_01m5w4nayge0zt63z13f3ajgpk\"."),
        ),
        (
            PRODUCT,
            LEVEL,
            "vrt_01m5w4nayge0zt63z13f3ajgp",
            &format!("{malformed} \"vrt_01m5w4nayge0zt63z13f3ajgp\"."),
        ),
        (
            PRODUCT,
            LEVEL,
            "vrt_81m5w4nayge0zt63z13f3ajgpk",
            &format!("{malformed} \"vrt_81m5w4nayge0zt63z13f3ajgpk\"."),
        ),
        (
            PRODUCT,
            REDUCING,
            LEVEL,
            "insurers/kalpanik/loan-suraksha.toml:@: `id` must be unique: insurers/kalpanik/loan-suraksha.toml:@-29 has the same id.",
        ),
        (
            "insurers/misaal/insurer.toml",
            "ins_01m5vn1aygfe0av1wtx4v84kep",
            "ins_01m5vktth0f5dshfehnp2ec77b",
            "insurers/misaal/insurer.toml:@: `id` must be unique: insurers/kalpanik/insurer.toml:4 has the same id.",
        ),
    ]);
}

#[test]
fn a_reference_without_a_target_and_an_unused_file_are_reported() {
    let partner = "par_01m5x05ptgfjfs46bmzda3qkxv";
    let assortment =
        |variants: &str| format!("[[assortment]]\npartner = \"{partner}\"\nvariants = [{variants}]\n[[tax]]");
    let unknown = "vrt_01m5wwq3rgfmn8kr04vm816ye7";
    each_is_reported(&[
        (
            "catalogue.toml",
            "[[tax]]",
            &assortment(&format!("\n\"{LEVEL}\",\n\"{unknown}\"")),
            &format!("catalogue.toml:@+4: No product has a variant {unknown}."),
        ),
        (
            "catalogue.toml",
            "[[tax]]",
            &assortment(&format!("\"{LEVEL}\", \"{LEVEL}\"")),
            &format!("catalogue.toml:@+2: `variants` names {LEVEL} twice."),
        ),
        (
            "catalogue.toml",
            "[[tax]]",
            &format!("{}\n{}", assortment("").trim_end_matches("[[tax]]"), assortment("")),
            &format!("catalogue.toml:@+5: {partner} already has an assortment."),
        ),
        (
            PRODUCT,
            "\"loan-suraksha-reducing.csv\"",
            "\"loan-suraksha-level.csv\"",
            "insurers/kalpanik/loan-suraksha-reducing.csv: Nothing in the catalogue uses this file.",
        ),
    ]);
    assert_eq!(
        faults(&without(PER_LAKH_TABLE)),
        [
            "insurers/parikatha/one-price-loan-cover.toml:39: There is no file `insurers/parikatha/one-price-loan-cover.csv`."
        ]
    );
    assert_eq!(faults(&with("rates.csv", "a\n1\n")), ["rates.csv: Nothing in the catalogue uses this file."]);
    assert_eq!(
        faults(&changed(PER_LAKH, "\"one-price-loan-cover.csv\"", "\"../kalpanik/loan-suraksha-level.csv\"")),
        [
            "insurers/parikatha/one-price-loan-cover.toml:39: `table` must name a .csv or .xlsx file in the same folder.",
        ]
    );
}

#[test]
fn a_missing_file_is_reported() {
    assert_eq!(faults(&without("catalogue.toml")), ["catalogue.toml: The file is missing."]);
    assert_eq!(faults(&Files::default()), ["catalogue.toml: The file is missing."]);
    assert_eq!(
        faults(&without(INSURER)),
        [
            "insurers/kalpanik/insurer.toml: The file is missing: it must describe the insurer of the products in this folder."
        ]
    );
}

#[test]
fn a_file_that_is_not_utf8_text_or_valid_toml_is_reported() {
    let mut files = sample();
    for (path, content) in &mut files {
        if path == LEVEL_TABLE || path == PER_LAKH {
            *content = vec![0xff, 0xfe];
        }
    }
    let reported = faults(&Files::of(files).expect("plain paths"));
    assert_eq!(
        reported,
        [
            "insurers/kalpanik/loan-suraksha-level.csv: The file is not UTF-8 text.",
            "insurers/parikatha/one-price-loan-cover.toml: The file is not UTF-8 text.",
        ]
    );
    let reported = faults(&changed(INSURER, "name = ", "name == "));
    assert!(
        reported[0].starts_with("insurers/kalpanik/insurer.toml:7: The file is not valid TOML: "),
        "{reported:?}"
    );
}

#[test]
fn a_failed_load_of_a_catalogue_reports_every_fault() {
    let mut files = sample();
    for (path, content) in &mut files {
        let Ok(text) = String::from_utf8(content.clone()) else { continue };
        *content = match path.as_str() {
            PRODUCT => {
                text.replace("decision = \"partner\"", "decision = \"nobody\"").replace(ACCIDENT, LEVEL)
            }
            LEVEL_TABLE => text.replace("18,35,2.6", "18,35,0").replace("61,65,15", "61,65,x"),
            "catalogue.toml" => text.replace("_days = 30", "_days = 400"),
            _ => text,
        }
        .into_bytes();
    }
    let reported = faults(&Files::of(files).expect("plain paths"));
    assert_eq!(
        reported,
        [
            "catalogue.toml:18: `quote_validity_days` must be a whole number from 1 to 365.",
            "insurers/kalpanik/loan-suraksha-level.csv:5: The rate for 12 months must be above zero.",
            "insurers/kalpanik/loan-suraksha-level.csv:9: The rate for 12 months must be a number in digits, such as 18 or 0.75.",
            "insurers/kalpanik/loan-suraksha.toml:23: `decision` must be \"partner\" or \"operator\" or \"insurer\" or \"straight-through\", not \"nobody\".",
            "insurers/kalpanik/loan-suraksha.toml:139: `id` must be unique: insurers/kalpanik/loan-suraksha.toml:94 has the same id.",
        ]
    );
}

#[test]
fn a_hidden_malformed_or_outside_path_is_refused_as_a_catalogue_file() {
    for path in [
        "../x.toml",
        "/x.toml",
        "a//b.toml",
        ".x.toml",
        "a/.b/c.toml",
        "a\\b.toml",
        "a\nb.toml",
        "c:x.toml",
        "",
    ] {
        assert!(Files::of([(path.to_owned(), Vec::new())]).is_err(), "{path:?}");
    }
}
