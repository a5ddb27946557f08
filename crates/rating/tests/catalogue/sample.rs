//! The sample catalogue: what ships must look real, price well and never change its ids.

use std::collections::BTreeSet;

use domain::id::Uuid;
use domain::proposal::Decision;
use domain::quote::NotPriced;
use rating::{Catalogue, CoverKind, Files};

use crate::edit::{TODAY, load, ordinary};

fn sample() -> Catalogue {
    load(&Files::sample())
}

#[test]
fn the_sample_has_four_insurers_and_eight_variants_or_more() {
    let sample = sample();
    assert!(sample.insurers().len() >= 4);
    assert!(sample.all_credit_variants().len() >= 8);
    let level =
        sample.all_credit_variants().iter().filter(|variant| variant.cover == CoverKind::Level).count();
    assert!(level >= 3 && sample.all_credit_variants().len() - level >= 3);
}

#[test]
fn an_ordinary_request_has_prices_and_reasons() {
    let sample = sample(); // D22
    let outcomes: Vec<_> =
        sample.all_credit_variants().iter().map(|variant| variant.price(&ordinary(), TODAY)).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 8);
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Age { .. }))));
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Cover { .. }))));
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(NotPriced::Term { .. }))));
}

#[test]
fn the_cheapest_for_an_ordinary_request_is_decided_by_the_partner() {
    let sample = sample(); // D29
    let priced = sample.all_credit_variants().iter().filter_map(|variant| {
        variant.price(&ordinary(), TODAY).ok().map(|premium| (premium.total(), variant.product.decision))
    });
    let cheapest = priced.min_by_key(|(total, _)| *total).expect("some have a price");
    assert_eq!(cheapest.1, Decision::Partner);
}

#[test]
fn every_way_to_decide_has_a_product() {
    let decisions: BTreeSet<Decision> = sample().products().map(|product| product.decision).collect(); // D29
    assert_eq!(decisions.into_iter().collect::<Vec<_>>(), Decision::ALL);
}

#[test]
fn every_insurer_says_that_it_is_fictional() {
    for insurer in sample().insurers() {
        assert!(insurer.name.ends_with("(fictional)"), "{}", insurer.name);
        assert!(insurer.registration_number.starts_with("FICTIONAL-"), "{}", insurer.registration_number);
        assert!(insurer.logo.starts_with("https://insurers.example/"), "{}", insurer.logo);
    }
    for product in sample().products() {
        assert!(product.uin.starts_with("000N"), "{}", product.uin);
    }
}

#[test]
fn every_id_has_the_shape_of_a_uuid_of_version_7() {
    let sample = sample(); // D20
    let insurers = sample.insurers().map(|insurer| insurer.id.uuid());
    let products = sample.products().map(|product| product.id.uuid());
    let variants = sample.all_credit_variants().iter().map(|variant| variant.id.uuid());
    let ids: Vec<Uuid> = insurers.chain(products).chain(variants).collect();
    for id in &ids {
        assert_eq!(id.get_version_num(), 7, "{id}");
        assert_eq!(id.as_u128() >> 62 & 3, 2, "{id}");
    }
}

#[test]
fn the_ids_that_shipped_stay() {
    // Quotes and policies that operators keep refer to them: a change here is a mistake.
    let sample = sample();
    let ids = |ids: Vec<String>| ids.join(" ");
    assert_eq!(
        ids(sample.insurers().map(|insurer| insurer.id.to_string()).collect()),
        "ins_01m5vktth0f5dshfehnp2ec77b ins_01m5vn1aygfe0av1wtx4v84kep ins_01m5vnmh6retqbp7nj5cdjq83b \
         ins_01m5vseangev5be3dz4gh4hkbg ins_01m5vszy4rekrbjg1fewvv00r7"
    );
    assert_eq!(
        ids(sample.products().map(|product| product.id.to_string()).collect()),
        "pro_01m5vvw3xreqg9aaa1afd2xg03 pro_01m5vwhgg0f59t60mw56m4aszs pro_01m5vxrpd0e5mr6v65ys68xqx3 \
         pro_01m5w1w9b0fj2sf5e7n9kc2s77 pro_01m5vy91v0fdrt9snrhhc8xyye pro_01m5w35eq8er79ezdy0pr9jayf \
         pro_01m5w3vakregsta0b5hwzvk4xd"
    );
    assert_eq!(
        ids(sample.all_credit_variants().iter().map(|variant| variant.id.to_string()).collect()),
        "vrt_01m5w4nayge0zt63z13f3ajgpk vrt_01m5w70szrefd8xfkwrdd6c53q vrt_01m5w8rr10ezpaxa54cw6yv5xv \
         vrt_01m5waf85geqgaee9ajw5me0pj vrt_01m5wdxhf0f18s8d01w632mwyv vrt_01m5wh6zfreyp9x8v76dtr4cmz \
         vrt_01m5wm8sc0e07a9ppyp2ye3jsm vrt_01m5wq5vwgfy8r4zyzrdts5e4z vrt_01m5wjrnarehethrdh55kgrp4h \
         vrt_01m5ws87x8eknbraw4m6mwrbzq vrt_01m5wsqaared0rnt6fb6a4f0pq"
    );
}

#[test]
fn everything_is_found_by_its_id() {
    let sample = sample();
    for variant in sample.all_credit_variants() {
        assert_eq!(sample.credit_variant(variant.id).map(|found| found.id), Some(variant.id));
        assert_eq!(sample.product(variant.product.id), Some(variant.product.as_ref()));
        assert_eq!(sample.insurer(variant.insurer().id), Some(variant.insurer()));
    }
}
