//! Tests that the sample catalogue is realistic.

use std::collections::BTreeSet;

use domain::health_quote::PlanType;
use domain::id::Uuid;
use domain::language::{Language, Text};
use domain::proposal::Decision;
use domain::quote::NotPriced;
use domain::ranking::Criterion;
use rating::{Catalogue, Consequence, CoverKind, Files, InsuredPerson, LineOfBusiness, PreUnderwritingRule};

use crate::edit::{TODAY, family, ill, load, ordinary};

fn sample() -> Catalogue {
    load(&Files::sample())
}

#[test]
fn the_sample_has_at_least_four_insurers_and_eight_credit_life_variants() {
    let sample = sample();
    assert!(sample.insurers().len() >= 4);
    assert!(sample.all_credit_variants().len() >= 8);
    let level =
        sample.all_credit_variants().iter().filter(|variant| variant.cover == CoverKind::Level).count();
    assert!(level >= 3 && sample.all_credit_variants().len() - level >= 3);
}

#[test]
fn an_ordinary_request_gets_eight_prices_and_several_kinds_of_refusals() {
    let sample = sample(); // D22
    let outcomes: Vec<_> =
        sample.all_credit_variants().iter().map(|variant| variant.price(&ordinary(), TODAY)).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 8);
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Age { .. }))));
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Cover { .. }))));
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Term { .. }))));
}

#[test]
fn the_partner_decides_proposals_of_the_cheapest_variant_for_an_ordinary_request() {
    let sample = sample(); // D29
    let priced = sample.all_credit_variants().iter().filter_map(|variant| {
        variant.price(&ordinary(), TODAY).ok().map(|premium| (premium.total(), variant.product.decision))
    });
    let cheapest = priced.min_by_key(|(total, _)| *total).expect("some have a price");
    assert_eq!(cheapest.1, Decision::Partner);
}

#[test]
fn the_sample_has_a_product_for_every_kind_of_decision() {
    let decisions: BTreeSet<Decision> = sample().products().map(|product| product.decision).collect(); // D29
    assert_eq!(decisions.into_iter().collect::<Vec<_>>(), Decision::ALL);
}

#[test]
fn health_products_use_every_kind_of_decision_except_the_partners() {
    let sample = sample();
    let health = sample.products().filter(|product| product.line == LineOfBusiness::Health);
    let decisions: BTreeSet<Decision> = health.map(|product| product.decision).collect();
    // The API has no operation by which a partner decides a health proposal.
    let every: BTreeSet<Decision> = Decision::ALL.iter().copied().collect();
    assert_eq!(every.difference(&decisions).copied().collect::<Vec<_>>(), [Decision::Partner]);
}

#[test]
fn an_ordinary_family_can_buy_ten_lakh_of_cover_without_underwriting() {
    let sample = sample();
    let request = family("self:34 spouse:36 daughter:6", "560038", 1_000_000);
    let at_once = sample.all_health_variants().iter().filter(|variant| {
        variant.product.decision == Decision::StraightThrough
            && variant.plan == PlanType::Base
            && variant.online
            && variant.price(&request, TODAY).is_ok()
    });
    let at_once: Vec<_> = at_once.collect();
    assert!(!at_once.is_empty());
    for variant in at_once {
        for (age, illnesses) in
            (30..=45).zip([&[] as &[&str], &["diabetes"], &["hypertension"]].into_iter().cycle())
        {
            let people = [InsuredPerson { age, illnesses }, InsuredPerson { age: 6, illnesses: &[] }];
            let rule = variant.product.pre_underwriting(&people, request.sum_insured);
            assert_eq!(rule, None, "{} at {age} with {illnesses:?}", variant.name);
        }
    }
}

#[test]
fn every_insurer_of_the_sample_is_marked_as_fictional() {
    for insurer in sample().insurers() {
        assert!(insurer.name.ends_with("(fictional)"), "{}", insurer.name);
        assert!(insurer.registration_number.starts_with("FICTIONAL-"), "{}", insurer.registration_number);
        assert!(insurer.logo.starts_with("https://insurers.example/"), "{}", insurer.logo);
    }
    for product in sample().products() {
        let prefix = if product.line == LineOfBusiness::Health { "FICHLIP" } else { "000N" };
        assert!(product.uin.starts_with(prefix), "{}", product.uin);
    }
}

#[test]
fn every_id_of_the_sample_is_a_uuid_of_version_7() {
    let sample = sample(); // D20
    let insurers = sample.insurers().map(|insurer| insurer.id.uuid());
    let products = sample.products().map(|product| product.id.uuid());
    let variants = sample.all_credit_variants().iter().map(|variant| variant.id.uuid());
    let health = sample.all_health_variants().iter().map(|variant| variant.id.uuid());
    let ids: Vec<Uuid> = insurers.chain(products).chain(variants).chain(health).collect();
    for id in &ids {
        assert_eq!(id.get_version_num(), 7, "{id}");
        assert_eq!(id.as_u128() >> 62 & 3, 2, "{id}");
    }
}

#[test]
fn released_ids_of_the_sample_never_change() {
    // Stored quotes and policies of operators refer to these ids. Never change one.
    fn are(ids: impl Iterator<Item = String>, shipped: &str) {
        let ids: BTreeSet<String> = ids.collect();
        assert_eq!(ids, shipped.split_whitespace().map(str::to_owned).collect());
    }
    let sample = sample();
    are(
        sample.insurers().map(|insurer| insurer.id.to_string()),
        "ins_01m5vktth0f5dshfehnp2ec77b ins_01m5vn1aygfe0av1wtx4v84kep ins_01m5vnmh6retqbp7nj5cdjq83b \
         ins_01m5vseangev5be3dz4gh4hkbg ins_01m5vszy4rekrbjg1fewvv00r7 ins_01m7w48bzgev895pr9qj9n1swy \
         ins_01m7w48a2febcv26dpcfsaay3g ins_01m7w48cpgf8rrc561qzhzgt7x ins_01m7w48apteva8hq3bfmgtvpmz \
         ins_01m7w48bmmf6s843gnt325s723",
    );
    are(
        sample.products().map(|product| product.id.to_string()),
        "pro_01m5vvw3xreqg9aaa1afd2xg03 pro_01m5vwhgg0f59t60mw56m4aszs pro_01m5vxrpd0e5mr6v65ys68xqx3 \
         pro_01m5w1w9b0fj2sf5e7n9kc2s77 pro_01m5vy91v0fdrt9snrhhc8xyye pro_01m5w35eq8er79ezdy0pr9jayf \
         pro_01m5w3vakregsta0b5hwzvk4xd pro_01m7w48h1jet7s3qsaz6zsr7se pro_01m7w48hz5f4kbje8bsyfmfp33 \
         pro_01m7w48cvcever6jyxztmjz4w3 pro_01m7w48dcmf5e8rnd94dr1w2b8 pro_01m7w48m81fq38v2ry6zvvqga4 \
         pro_01m7w48kphfpmvdedhwcgr4xj9 pro_01m7w48jsee9na64zbqj1nwz52 pro_01m7w48e3ye2ybrk1zbezn6mgv \
         pro_01m7w48e8cext895czex9kpspa pro_01m7w48ggrf02aaay738jxb7rc pro_01m7w48f2hfvtvsk531d58rx90 \
         pro_01m7w48fsmexgbp7c8w0v1ccdn",
    );
    are(
        sample.all_credit_variants().iter().map(|variant| variant.id.to_string()),
        "vrt_01m5w4nayge0zt63z13f3ajgpk vrt_01m5w70szrefd8xfkwrdd6c53q vrt_01m5w8rr10ezpaxa54cw6yv5xv \
         vrt_01m5waf85geqgaee9ajw5me0pj vrt_01m5wdxhf0f18s8d01w632mwyv vrt_01m5wh6zfreyp9x8v76dtr4cmz \
         vrt_01m5wm8sc0e07a9ppyp2ye3jsm vrt_01m5wq5vwgfy8r4zyzrdts5e4z vrt_01m5wjrnarehethrdh55kgrp4h \
         vrt_01m5ws87x8eknbraw4m6mwrbzq vrt_01m5wsqaared0rnt6fb6a4f0pq",
    );
    are(
        sample.all_health_variants().iter().map(|variant| variant.id.to_string()),
        "vrt_01m7w48ywrf8tsjgxjce168a2e vrt_01m7w48zdremntr4ft1y44rang vrt_01m7w4902pf1h80kcemqdqbw2d \
         vrt_01m7w490tcfwzv9bcjn8mrwgnc vrt_01m7w4912jf9zafhz68q071ka1 vrt_01m7w48n5meyvaef05gq348hkr \
         vrt_01m7w48npkf0yvj6bk7e1wgap5 vrt_01m7w48pdnea3r6qfc2eeqwx4m vrt_01m7w48pymfadrp8v49b1x1bw7 \
         vrt_01m7w49469e77b80mf97es3wd6 vrt_01m7w49330e25vyb3nk6cy27c5 vrt_01m7w493tse759trjexgd8e0es \
         vrt_01m7w491xbf7dt6a23m1sy2dja vrt_01m7w492qxedraffst4a014md1 vrt_01m7w48q6be27tbsrje1mgw558 \
         vrt_01m7w48qv2f3a8bqatrjd3njrd vrt_01m7w48rrpeneb7am7vpezvq28 vrt_01m7w48rzwf5pax3re8c6cs6ya \
         vrt_01m7w48sdferrtmddedfagfp7z vrt_01m7w48tawfn5v4v8hzfasyrmp vrt_01m7w48y1cecvsdxtr7w8wqms2 \
         vrt_01m7w48tf8farb21d2p9gw6t1h vrt_01m7w48vcqeyq8aywc0tqmar1t vrt_01m7w48vthe3tvw8xe1809bw1j \
         vrt_01m7w48wr7e4qty415qbgyrqx8 vrt_01m7w48x6ne4sreyz25reaayfe",
    );
}

#[test]
fn insurers_products_and_variants_are_found_by_their_ids() {
    let sample = sample();
    for variant in sample.all_credit_variants() {
        assert_eq!(sample.credit_variant(variant.id).map(|found| found.id), Some(variant.id));
        assert_eq!(sample.product(variant.product.id), Some(variant.product.as_ref()));
        assert_eq!(sample.insurer(variant.insurer().id), Some(variant.insurer()));
    }
    for variant in sample.all_health_variants() {
        assert_eq!(sample.health_variant(variant.id).map(|found| found.id), Some(variant.id));
        assert!(sample.credit_variant(variant.id).is_none());
        assert_eq!(sample.product(variant.product.id), Some(variant.product.as_ref()));
        assert_eq!(sample.insurer(variant.insurer().id), Some(variant.insurer()));
    }
}

#[test]
fn the_sample_has_at_least_four_health_insurers_and_twenty_health_variants() {
    let sample = sample();
    let health = sample.all_health_variants();
    let insurers: BTreeSet<&str> = health.iter().map(|variant| variant.insurer().name.as_str()).collect();
    assert!(insurers.len() >= 4, "{insurers:?}");
    assert!(health.len() >= 20);
    let of = |plan| health.iter().filter(|variant| variant.plan == plan).count();
    assert!(of(PlanType::Base) >= 12 && of(PlanType::SuperTopUp) >= 5);
    assert!(health.iter().any(|variant| variant.copay.percent > 0 && variant.copay.from_age.is_none()));
    assert!(health.iter().any(|variant| variant.copay.from_age.is_some()));
    assert!(health.iter().any(|variant| variant.waiting_months == 0 && !variant.online));
    for criterion in Criterion::ALL {
        assert!(sample.ranking_weights().weight(*criterion) > 0, "{criterion}");
    }
}

#[test]
fn filter_tags_of_a_health_variant_agree_with_its_co_pay_and_waiting_period() {
    let sample = sample();
    let known: BTreeSet<&str> = sample.filter_tags().iter().map(|tag| tag.id.as_str()).collect();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for variant in sample.all_health_variants() {
        let tagged = |tag: &str| variant.filter_tags.iter().any(|own| own == tag);
        assert_eq!(tagged("no-copay"), variant.copay.percent == 0, "{}", variant.name);
        assert_eq!(tagged("day-one-cover"), variant.waiting_months == 0, "{}", variant.name);
        assert_eq!(tagged("short-wait"), (1..=24).contains(&variant.waiting_months), "{}", variant.name);
        used.extend(variant.filter_tags.iter().map(String::as_str));
    }
    assert_eq!(used, known, "every tag is some variant's");
    assert!(sample.illnesses().iter().any(|illness| illness.id == "other"));
    let parents = sample.all_health_variants().iter().filter_map(|variant| Some((variant, variant.parent?)));
    let mut plans = BTreeSet::new();
    for (variant, parent) in parents {
        let parent = sample.health_variant(parent).expect("a variant of the catalogue");
        assert_eq!(parent.insurer(), variant.insurer());
        assert_eq!(parent.parent, None);
        plans.insert((variant.plan, parent.plan));
    }
    assert!(plans.contains(&(PlanType::SuperTopUp, PlanType::Base)), "{plans:?}");
}

/// Whether a text is Hindi as people type it: Devanagari letters, Western digits, and letters with a dot
/// (nukta) as two characters.
fn is_hindi(text: &str) -> bool {
    let devanagari = text.chars().any(|c| ('\u{0905}'..='\u{0939}').contains(&c));
    let other_digits = text.chars().any(|c| ('\u{0966}'..='\u{096f}').contains(&c));
    let one_character = text.chars().any(|c| ('\u{0958}'..='\u{095f}').contains(&c));
    devanagari && !other_digits && !one_character
}

#[test]
fn every_health_text_for_customers_has_a_hindi_translation() {
    let sample = sample();
    let mut texts: Vec<(String, &Text)> = Vec::new();
    for tag in sample.filter_tags() {
        texts.push((format!("the tag {}", tag.id), &tag.name));
    }
    for illness in sample.illnesses() {
        texts.push((format!("the illness {}", illness.id), &illness.name));
    }
    for variant in sample.all_health_variants() {
        texts.push((format!("the description of {}", variant.name), &variant.description));
    }
    for product in sample.products().filter(|product| product.line == LineOfBusiness::Health) {
        let name = &product.name;
        texts.push((format!("the settlement of {name}"), &product.settlement));
        let exclusions = product.exclusions.as_ref().expect("exclusions");
        texts.push((format!("the exclusions of {name}"), exclusions));
        for covered in &product.covers {
            texts.push((format!("{covered:?} of {name}"), covered));
        }
        for rule in &product.pre_underwriting {
            texts.push((format!("{:?} of {name}", rule.reason), &rule.reason));
        }
    }
    for (what, text) in texts {
        assert!(is_hindi(text.in_language(Language::Hindi)), "{what}: {text:?}");
    }
}

#[test]
fn every_health_product_lists_five_to_eight_covers_and_its_exclusions() {
    let sample = sample();
    for product in sample.products().filter(|product| product.line == LineOfBusiness::Health) {
        assert!((5..=8).contains(&product.covers.len()), "{}", product.name);
        assert!(product.exclusions.is_some(), "{}", product.name);
    }
    // Each variant has the filter tags of what its product covers.
    for variant in sample.all_health_variants() {
        for (words, tag) in [
            ("in any room", "no-room-rent-limit"),
            ("Childbirth", "maternity"),
            ("The sum insured, restored", "restore"),
            ("health check-up", "check-up"),
        ] {
            let says = variant.product.covers.iter().any(|covered| covered.english().contains(words));
            let tagged = variant.filter_tags.iter().any(|own| own == tag);
            assert!(tagged || !says, "{} says {words:?}", variant.name);
        }
    }
}

/// Illnesses for which nobody is refused.
const LIGHT: &[&str] = &["thyroid", "cholesterol", "hypertension"];

#[test]
fn every_pre_underwriting_rule_applies_to_some_person_who_is_offered_the_plan() {
    let sample = sample();
    for product in sample.products() {
        for rule in &product.pre_underwriting {
            let mut illnesses: Vec<&str> = rule.illnesses.iter().map(String::as_str).collect();
            let wanted = usize::from(rule.illnesses_of_one.unwrap_or_default());
            illnesses.extend(LIGHT.iter().take(wanted.saturating_sub(illnesses.len())));
            let judged =
                sample.all_health_variants().iter().filter(|variant| variant.product.id == product.id);
            let judged = judged.filter_map(|variant| {
                let age = rule.from_age.unwrap_or(variant.limits.adult_age.least);
                let sum = variant.sums_insured.iter().find(|sum| Some(**sum) > rule.sum_insured_above)?;
                let members = format!("{}:{age}", variant.limits.relations.first()?.word());
                let request = family(&members, "110001", sum.paise() / 100);
                variant.price(&ill(request, &illnesses), TODAY).ok()?;
                product.pre_underwriting(&[InsuredPerson { age, illnesses: &illnesses }], *sum)
            });
            assert!(judged.into_iter().any(|decides| decides == rule), "{}: {rule:?}", product.name);
        }
    }
}

#[test]
fn the_sample_has_every_kind_of_pre_underwriting_rule_and_at_most_three_a_product() {
    let sample = sample();
    let rules = || sample.products().flat_map(|product| &product.pre_underwriting);
    let has = |wanted: fn(&PreUnderwritingRule) -> bool| rules().any(wanted);
    assert!(has(|rule| rule.then == Consequence::Cancel && rule.illnesses.len() > 1));
    assert!(has(|rule| rule.then == Consequence::Refer
        && rule.from_age.is_some()
        && rule.sum_insured_above.is_some()));
    assert!(has(|rule| rule.then == Consequence::Refer && rule.illnesses_of_one.is_some()));
    assert!(sample.products().all(|product| product.pre_underwriting.len() <= 3));
}

#[test]
fn most_health_variants_offer_ten_lakh_at_realistic_premiums() {
    let sample = sample(); // interface: the sum insured of a request that names none
    let priced = |members: &str, pincode: &str, plan: PlanType| -> Vec<i64> {
        let request = family(members, pincode, 1_000_000);
        let variants = sample.all_health_variants().iter().filter(|variant| variant.plan == plan);
        let offers = variants.filter_map(|variant| variant.price(&request, TODAY).ok());
        offers.map(|offer| offer.tenures[0].premium.total().paise() / 100).collect()
    };
    let single = priced("self:30", "400001", PlanType::Base);
    assert!(single.len() >= 12, "{single:?}");
    assert!(single.iter().all(|rupees| (8_000..=15_000).contains(rupees)), "{single:?}");
    let three = priced("self:40 spouse:34 son:8", "560038", PlanType::Base);
    assert!(three.len() >= 10, "{three:?}");
    assert!(three.iter().all(|rupees| (13_000..=30_000).contains(rupees)), "{three:?}");
    let parents = priced("father:64 mother:60", "302001", PlanType::Base);
    assert!(parents.len() >= 5, "{parents:?}");
    assert!(parents.iter().all(|rupees| (30_000..=90_000).contains(rupees)), "{parents:?}");
    let above = priced("self:30", "400001", PlanType::SuperTopUp);
    assert!(above.len() >= 5, "{above:?}");
    assert!(above.iter().all(|rupees| (1_500..=4_000).contains(rupees)), "{above:?}");
}
