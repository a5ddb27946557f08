//! Tests the faults of health products: wrong keys, steps, words, references.

use rating::Files;

use crate::edit::{
    APNA, FILTER_TAGS, FLOATER, ILLNESSES, KAVACH, LEVEL, PER_MEMBER, RAKSHA, RAKSHA_PLUS, SENIOR,
    SENIOR_INSURER, TOP_UP, ZONES, changed, line, sample, with, without,
};
use crate::reported::{each_is_reported, faults};

/// Fault at the changed line of a file.
fn at(path: &str, message: &str) -> String {
    format!("{path}:@: {message}")
}

#[test]
fn a_wrong_value_in_a_health_product_is_reported() {
    let reported = |message: &str| at(SENIOR, message);
    each_is_reported(&[
        (
            SENIOR,
            "plan = \"base\"",
            "plan = \"basic\"",
            &reported("`plan` must be \"base\" or \"super-top-up\", not \"basic\"."),
        ),
        (
            SENIOR,
            "uin =",
            "master_policy_number = \"X\"\nuin =",
            &format!("{SENIOR}: `master_policy_holder` is missing."),
        ),
        (SENIOR, "{ years = 3,", "{ years = 6,", &reported("`years` must be a whole number from 1 to 5.")),
        (
            SENIOR,
            "{ years = 3,",
            "{ years = 2,",
            &format!("{SENIOR}:@-3: `tenures` must be in ascending order of years, each once."),
        ),
        (SENIOR, "7.5 }", "100 }", &reported("`discount_percent` must be above 0 and at most 99.")),
        (
            SENIOR,
            "{ least = 18, most = 75 }",
            "{ least = 76, most = 75 }",
            &reported("`adult_age` has a `least` above its `most`."),
        ),
        (
            SENIOR,
            "adults = { least = 1",
            "adults = { least = 0",
            &reported("`least` must be a whole number from 1 to 20."),
        ),
        (
            SENIOR,
            "\"father\", \"mother\", \"daughter\"",
            "\"father\", \"uncle\"",
            &reported(
                "`relations` must be \"self\" or \"spouse\" or \"father\" or \"mother\" or \"daughter\" or \"son\", not \"uncle\".",
            ),
        ),
        (
            SENIOR,
            "\"father\", \"mother\", \"daughter\"",
            "\"son\"",
            &reported("`relations` must not have the same value twice."),
        ),
        (
            SENIOR,
            "zones = [\"1\", \"2\", \"3\"]",
            "zones = []",
            &reported("`zones` must not be an empty list."),
        ),
        (
            SENIOR,
            "zones = [\"1\", \"2\", \"3\"]",
            "zones = [\"4\"]",
            &reported("`zones` names \"4\", which is not a zone of this insurer."),
        ),
        (
            SENIOR,
            "most_percent = 60",
            "most_percent = 0",
            &reported("`most_percent` must be above 0 and at most 900."),
        ),
        (SENIOR, "diabetes = 20", "diabetes = -20", &reported("`diabetes` must be above 0 and at most 900.")),
        (
            SENIOR,
            "diabetes = 20",
            "diabetis = 20",
            &reported("`loading_percent` names \"diabetis\", which is not in illnesses.toml."),
        ),
        (
            SENIOR,
            ", other = 25",
            "",
            &reported(
                "`loading_percent` needs `other`, for every illness that it does not name. Use 0 for no loading.",
            ),
        ),
        (
            SENIOR,
            "refused = [\"cancer\"",
            "refused = [\"cancre\"",
            &reported("`refused` names \"cancre\", which is not in illnesses.toml."),
        ),
        (
            SENIOR,
            "refused = [\"cancer\"",
            "refused = [\"diabetes\"",
            &format!("{SENIOR}:@-1: \"diabetes\" must not have a loading: `refused` lists it."),
        ),
        (
            SENIOR,
            "most_percent = 60",
            "most_per_cent = 60",
            &reported("`most_per_cent` is not a known key. Did you mean `most_percent`?"),
        ),
    ]);
}

#[test]
fn tenures_that_are_not_a_list_of_sections_are_reported() {
    let tenures = "tenures = [{ years = 1 }, { years = 2, discount_percent = 5 }]";
    let product = "insurers/drishtant/parivar-uparant.toml";
    each_is_reported(&[
        (product, tenures, "tenures = 2", &at(product, "`tenures` must be a list.")),
        (product, tenures, "tenures = []", &at(product, "`tenures` must not be an empty list.")),
        (
            product,
            tenures,
            "tenures = [1, 2]",
            &at(product, "`tenures` must be sections, each headed by [[tenures]], or a list of { … }."),
        ),
    ]);
}

#[test]
fn a_wrong_value_in_a_health_variant_is_reported() {
    let reported = |message: &str| at(SENIOR, message);
    each_is_reported(&[
        (SENIOR, "description =", "# description =", &format!("{SENIOR}:@-3: `description` is missing.")),
        (
            SENIOR,
            "sum_insured = [300000, 500000, 1000000, 1500000, 2500000]",
            "",
            &format!("{SENIOR}:@-6: `sum_insured` is missing."),
        ),
        (
            SENIOR,
            "sum_insured = [300000,",
            "sum_insured = [500000,",
            &reported("`sum_insured` must not have the same value twice."),
        ),
        (
            SENIOR,
            "sum_insured = [300000,",
            "sum_insured = [300000.5,",
            &reported("`sum_insured` must be a whole number, not a number."),
        ),
        (
            SENIOR,
            "waiting_months = 36",
            "waiting_months = 121",
            &reported("`waiting_months` must be a whole number from 0 to 120."),
        ),
        (SENIOR, "online = true", "online = \"yes\"", &reported("`online` must be true or false, not text.")),
        (
            SENIOR,
            "copay_percent = 20",
            "copay_percent = 91",
            &reported("`copay_percent` must be a whole number from 0 to 90."),
        ),
        (
            SENIOR,
            "copay_percent = 20",
            "copay_from_age = 61",
            &reported("`copay_from_age` needs a `copay_percent`."),
        ),
        (
            SENIOR,
            "\"no-copay\"",
            "\"no-copays\"",
            &reported("`filter_tags` names \"no-copays\", which is not in filter_tags.toml."),
        ),
        (
            TOP_UP,
            "deductibles = [200000,",
            "deductibles = [0,",
            &at(TOP_UP, "`deductibles` of a super top-up must be above 0."),
        ),
        (
            PER_MEMBER,
            "deductibles = [0, 50000]",
            "deductibles = [50000]",
            &at(PER_MEMBER, "`deductibles` of a base plan must include 0."),
        ),
    ]);
}

#[test]
fn a_limit_missing_in_both_product_and_variant_is_reported() {
    let missing =
        |key: &str| format!("`{key}` is missing: add it to [eligibility] of the product or of the variant.");
    let yuva = "insurers/kahani/yuva.toml";
    for (from, key) in [
        ("adult_age = { least = 18, most = 45 }\n", "adult_age"),
        ("adults = { least = 1, most = 1 }\n", "adults"),
    ] {
        let reported = faults(&changed(yuva, from, ""));
        assert_eq!(reported.len(), 2, "{reported:?}"); // one for each variant
        assert!(reported.iter().all(|fault| fault.ends_with(&missing(key))), "{reported:?}");
    }
    let reported = faults(&changed(
        "insurers/kahani/griha.toml",
        "child_age = { least = \"91 days\", most = 23 }\n",
        "",
    ));
    assert!(reported[0].ends_with(&missing("child_age")), "{reported:?}");
    assert_eq!(reported.len(), 1);
}

#[test]
fn a_wrong_value_in_the_price_of_a_health_variant_is_reported() {
    let reported = |message: &str| at(SENIOR, message);
    let steps = |message: &str| format!("{SENIOR}:@-1: {message}");
    each_is_reported(&[
        (
            SENIOR,
            "method = \"senior-most-plus-others\"",
            "method = \"senior-most\"",
            &reported(
                "`method` must be \"floater\" or \"senior-most-plus-others\" or \"per-member\" or \"super-top-up\", not \"senior-most\".",
            ),
        ),
        (
            SENIOR,
            "table = \"parivar-raksha-eldest.csv\"",
            "table = \"eldest.csv\"",
            &reported("There is no file `insurers/drishtant/eldest.csv`."),
        ),
        (
            SENIOR,
            "rates_as_of = 2024-04-01",
            "rates_as_of = \"2024\"",
            &reported(
                "`rates_as_of` must be a day written without quotation marks, such as 2017-07-01, not text.",
            ),
        ),
        (
            SENIOR,
            "rates_include_tax = true",
            "rates_include_tax = false",
            &format!("{SENIOR}:@+1: `rates_as_of` is only for rates that include tax; these rates do not."),
        ),
        (
            SENIOR,
            "    { illness_loading = true },\n",
            "",
            &steps("The step { illness_loading = true } is missing: the product has loadings for illnesses."),
        ),
        (
            SENIOR,
            "    { tenure = true },\n",
            "",
            &format!(
                "{SENIOR}:@-2: The step {{ tenure = true }} is missing: the variant has a tenure of several years, or a tenure discount."
            ),
        ),
        (
            SENIOR,
            "{ tenure = true },",
            "{ tenure = true }, { tenure = true },",
            &format!("{SENIOR}:@-2: The step {{ tenure = true }} must be present exactly once."),
        ),
        (
            SENIOR,
            "{ tenure = true }",
            "{ tenure = false }",
            &reported("`tenure` must be true; if it does not apply, remove the key."),
        ),
        (
            SENIOR,
            "{ tenure = true }",
            "{ tenure = true, minimum = 5 }",
            &reported(
                "A step must have exactly one of `loading_percent`, `discount_percent`, `minimum`, `round`, `round_total`, `illness_loading`, `tenure`, `instalment_loading`, `occupation_loading` and `tobacco_loading`.",
            ),
        ),
        (
            "insurers/prayog/varishtha.toml",
            "    { illness_loading = true },\n",
            "    { illness_loading = true },\n    { tenure = true },\n",
            "insurers/prayog/varishtha.toml:@-1: The step { tenure = true } is not needed: the variant is sold only for one year, without a discount.",
        ),
        (
            PER_MEMBER,
            "family_discount_percent = 10",
            "family_discount_percent = 100",
            &at(PER_MEMBER, "`family_discount_percent` must be above 0 and at most 99."),
        ),
        (
            PER_MEMBER,
            "family_discount_percent = 10\n",
            "",
            &at(PER_MEMBER, "`family_discount_from` needs `family_discount_percent`."),
        ),
        (
            PER_MEMBER,
            "family_discount_from = 2",
            "family_discount_from = 1",
            &at(PER_MEMBER, "`family_discount_from` must be a whole number from 2 to 40."),
        ),
        (
            FLOATER,
            "method = \"floater\"",
            "method = \"floater\"\nfamily_discount_percent = 5",
            &format!(
                "{FLOATER}:@+1: `family_discount_percent` is not a known key. Did you mean `most_discount_percent`?"
            ),
        ),
        (
            FLOATER,
            "method = \"floater\"",
            "method = \"super-top-up\"",
            &at(FLOATER, "The method \"super-top-up\" is for a product whose `plan` is \"super-top-up\"."),
        ),
    ]);
    // A misspelt key is missing, and also unknown.
    let price = line(SENIOR, "[variant.price]");
    let misspelt = faults(&changed(SENIOR, "\n[variant.price]", "\n[variant.prices]"));
    let reported = [
        format!(
            "{SENIOR}:{}: `price` is missing: the section [variant.price] says what the variant costs.",
            line(SENIOR, "[[variant]]")
        ),
        format!("{SENIOR}:{price}: `prices` is not a known key. Did you mean `price`?"),
    ];
    assert_eq!(misspelt, reported);
    let misspelt = faults(&changed(SENIOR, "others_table = ", "other_table = "));
    let reported = [
        format!("{SENIOR}:{price}: `others_table` is missing."),
        format!(
            "{SENIOR}:{}: `other_table` is not a known key. Did you mean `others_table`?",
            line(SENIOR, "others_table = ")
        ),
    ];
    assert_eq!(misspelt, reported);
    // Credit life has no health steps.
    let credit = faults(&changed(crate::edit::PRODUCT, "{ round = \"paisa\" }", "{ tenure = true }"));
    assert!(credit[0].contains(
        "A step must have exactly one of `loading_percent`, `discount_percent`, `minimum`, `round`, `round_total`, `occupation_loading` and `tobacco_loading`."
    ));
    assert!(credit[1].contains("`tenure` is not a known key here."));
}

#[test]
fn an_illness_step_in_a_product_without_illness_loadings_is_reported() {
    let free = "loading_percent = { other = 0 }";
    let loaded = "loading_percent = { thyroid = 5, asthma = 10, other = 25 }";
    let reported = faults(&changed("insurers/kahani/yuva.toml", loaded, free));
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(reported[0].ends_with(
        "The step { illness_loading = true } is not needed: the product has no loading for illnesses."
    ));
}

#[test]
fn an_impossible_parent_of_a_health_variant_is_reported() {
    let parent = format!("parent = \"{RAKSHA}\"");
    let named = |id: &str| format!("parent = \"{id}\"");
    let reported = |message: String| at(SENIOR, &message);
    let unknown = "vrt_01m5wwq3rgfmn8kr04vm816ye7";
    each_is_reported(&[
        (
            SENIOR,
            &parent,
            &named(unknown),
            &reported(format!("`parent` is {unknown}, but no product has such a variant.")),
        ),
        (
            SENIOR,
            &parent,
            &named(LEVEL),
            &reported(format!("`parent` is {LEVEL}, which is not a health variant.")),
        ),
        (
            SENIOR,
            &parent,
            &named(APNA),
            &reported(format!("`parent` is {APNA}, which belongs to another insurer.")),
        ),
        (
            SENIOR,
            &parent,
            &named(RAKSHA_PLUS),
            &reported(format!("`parent` is {RAKSHA_PLUS}, which has a parent itself: use that parent.")),
        ),
    ]);
}

#[test]
fn a_missing_value_that_health_products_need_is_reported() {
    each_is_reported(&[
        (
            SENIOR_INSURER,
            "network_hospitals = 11400\n",
            "",
            &format!(
                "{SENIOR_INSURER}: `network_hospitals` is missing: an insurer with a health product needs it."
            ),
        ),
        (
            SENIOR_INSURER,
            "claim_settlement_ratio = 96.4\n",
            "",
            &format!(
                "{SENIOR_INSURER}: `claim_settlement_ratio` is missing: an insurer with a health product needs it."
            ),
        ),
        (
            SENIOR_INSURER,
            "claim_settlement_ratio = 96.4",
            "claim_settlement_ratio = 101",
            &at(SENIOR_INSURER, "`claim_settlement_ratio` must be above 0 and at most 100."),
        ),
        (
            "catalogue.toml",
            "price = 35",
            "price = 1001",
            "catalogue.toml:@: `price` must be a whole number from 0 to 1000.",
        ),
        ("catalogue.toml", "waiting = 15\n", "", "catalogue.toml:@-4: `waiting` is missing."),
        (
            "catalogue.toml",
            "waiting = 15",
            "wait = 15\nwaiting = 15",
            "catalogue.toml:@: `wait` is not a known key. Did you mean `waiting`?",
        ),
        (
            "catalogue.toml",
            "price = 35\nclaim_ratio = 20\nnetwork = 15\nwaiting = 15\ncopay = 15",
            "price = 0\nclaim_ratio = 0\nnetwork = 0\nwaiting = 0\ncopay = 0",
            "catalogue.toml:@-1: `ranking` must have at least one weight above 0.",
        ),
        (
            FILTER_TAGS,
            "id = \"restore\"",
            "id = \"no-copay\"",
            &at(FILTER_TAGS, "`id` must be unique: \"no-copay\" is already used."),
        ),
        (
            FILTER_TAGS,
            "id = \"restore\"",
            "id = \"Restore\"",
            &at(FILTER_TAGS, "`id` must be at most 40 small letters, digits, hyphens and underscores."),
        ),
        (FILTER_TAGS, "name = \"Maternity\"", "", &format!("{FILTER_TAGS}:@-2: `name` is missing.")),
        (
            ILLNESSES,
            "name = \"Asthma\"",
            "name = \"Asthma\"\nicd = 1",
            &format!("{ILLNESSES}:@+1: `icd` is not a known key here."),
        ),
        (
            ILLNESSES,
            "[[illness]]\nid = \"other\"",
            "[[illness]]\nid = \"others\"",
            &format!(
                "{ILLNESSES}: An [[illness]] with the id \"other\" is missing: it stands for every illness that is not listed."
            ),
        ),
    ]);
    assert_eq!(
        faults(&changed("catalogue.toml", "[ranking]", "[[assortments]]")).first().map(String::as_str),
        Some(
            "catalogue.toml: `ranking` is missing: the section [ranking] has the weights that rank health offers."
        )
    );
    assert_eq!(
        faults(&without(ZONES)),
        [
            "zones.csv: The file is missing: prices of health products depend on the zone. For a single zone, write one row with * and a name."
        ]
    );
    let reported = faults(&without(FILTER_TAGS));
    assert!(
        reported.iter().all(|fault| fault.ends_with("which is not in filter_tags.toml.")),
        "{reported:?}"
    );
    assert_eq!(
        faults(&without(ILLNESSES)),
        ["illnesses.toml: The file is missing or empty, but products refer to its illnesses."]
    );
}

#[test]
fn wrong_or_incomplete_zones_of_pincodes_are_reported() {
    let reported = |content: &str| faults(&with(ZONES, content)).join(" ");
    let zones = |rows: &str| format!("prefix,zone\n{rows}\n9,1\n1,1\n2,2\n3,3\n4,1\n5,1\n6,1\n7,1\n");
    crate::edit::load(&with(ZONES, &zones("8,2")));
    assert_eq!(
        reported(&zones("80,2")),
        "zones.csv:1: Pincodes that begin with 81, 82, 83, 84, 85, 86, 87, 88, 89 have no zone. Add a row with * for all other pincodes."
    );
    assert_eq!(reported(&zones("8,2\n8,3")), "zones.csv:3: `prefix` 8 is already used.");
    assert_eq!(reported(&zones("*,2\n*,3")), "zones.csv:3: `prefix` * is already used.");
    assert_eq!(
        reported(&zones("*,2\n08,3")),
        "zones.csv:3: `prefix` must be 1 to 6 digits, the first not 0, or * for all other pincodes."
    );
    assert_eq!(
        reported(&zones("*,2\n8000001,3")),
        "zones.csv:3: `prefix` must be 1 to 6 digits, the first not 0, or * for all other pincodes."
    );
    assert_eq!(reported(&zones("*,2\n88,")), "zones.csv:3: `zone` must be a name of 1 to 40 characters.");
    assert_eq!(reported("pincode,zone\n*,1\n"), "zones.csv:1: The first line must be prefix,zone.");
    let own = with("insurers/kalpanik/zones.csv", "prefix,zone\n*,1\n");
    assert_eq!(faults(&own), ["insurers/kalpanik/zones.csv: Nothing in the catalogue uses this file."]);
}

#[test]
fn a_catalogue_without_health_products_needs_no_files_for_health() {
    let mut files = sample();
    files.retain(|(path, _)| {
        let health = ["abhas", "drishtant", "kahani", "nidarshan", "prayog"];
        // The sample's bordereaux name a health insurer.
        let top = [ZONES, FILTER_TAGS, ILLNESSES, "bordereaux.toml"];
        !top.contains(&path.as_str())
            && !health.iter().any(|folder| path.starts_with(&format!("insurers/{folder}/")))
    });
    for (path, content) in &mut files {
        if path == "catalogue.toml" {
            let Ok(text) = String::from_utf8(content.clone()) else { continue };
            let (before, rest) = text.split_once("[ranking]").expect("a ranking");
            let (_, after) = rest.split_once("copay = 15\n").expect("its last weight");
            *content = format!("{before}{after}").into_bytes();
        }
    }
    let catalogue = crate::edit::load(&Files::of(files).expect("plain paths"));
    assert_eq!(catalogue.all_health_variants().len(), 0);
    assert_eq!((catalogue.filter_tags().len(), catalogue.illnesses().len()), (0, 0));
}

#[test]
fn a_super_top_up_without_deductibles_and_a_variant_that_is_its_own_parent_are_reported() {
    let reported = faults(&changed(TOP_UP, "deductibles = [200000,", "deductible = [200000,"));
    assert_eq!(
        reported,
        [
            format!("{TOP_UP}:{}: `deductibles` is missing.", line(TOP_UP, "[[variant]]")),
            format!(
                "{TOP_UP}:{}: `deductible` is not a known key. Did you mean `deductibles`?",
                line(TOP_UP, "deductibles = ")
            ),
        ]
    );
    let own = format!("waiting_months = 36\nparent = \"{KAVACH}\"\n");
    let reported = faults(&changed(TOP_UP, "waiting_months = 36\n", &own));
    let below = 1 + line(TOP_UP, "waiting_months = 36\n");
    assert_eq!(reported, [format!("{TOP_UP}:{below}: `parent` must be another variant.")]);
}
