//! Tests limits of health variants: ages, families, relations, zones, sums insured.

use domain::health_quote::{NotOffered, Relation};
use rating::Catalogue;

use crate::edit::{
    FLOATER, MATA_PITA, RAKSHA, SAMPOORNA, SENIOR, TODAY, YUVA, ZONES, changed, family, health, load, shared,
    with,
};

const DELHI: &str = "110001";

/// Why a family gets no offer. `None` if it gets one.
fn refused_by(catalogue: &Catalogue, id: &str, members: &str, pincode: &str, sum: i64) -> Option<NotOffered> {
    health(catalogue, id).price(&family(members, pincode, sum), TODAY).err()
}

fn refused(id: &str, members: &str) -> Option<NotOffered> {
    refused_by(shared(), id, members, DELHI, 1_000_000)
}

#[test]
fn ages_are_checked_in_completed_years() {
    let outside = Some(NotOffered::Age { least: 18, most: 65 });
    assert_eq!(refused(SAMPOORNA, "self:18"), None);
    assert_eq!(refused(SAMPOORNA, "self:17.99"), outside);
    assert_eq!(refused(SAMPOORNA, "self:65.99"), None);
    assert_eq!(refused(SAMPOORNA, "self:66"), outside);
    assert_eq!(refused(SAMPOORNA, "self:40 spouse:66"), outside);
}

#[test]
fn a_child_above_the_maximum_child_age_counts_as_an_adult() {
    assert_eq!(refused(SAMPOORNA, "self:50 son:25"), None);
    assert_eq!(refused(SAMPOORNA, "self:50 son:25.9"), None);
    assert_eq!(refused(SAMPOORNA, "self:50 son:26"), None); // two adults
    assert_eq!(refused(SAMPOORNA, "self:50 spouse:50 son:26"), Some(NotOffered::Family)); // three
    let floater = health(shared(), SAMPOORNA);
    let premium = |members| {
        let offer = floater.price(&family(members, DELHI, 1_000_000), TODAY).expect("an offer");
        offer.tenures[0].premium.total()
    };
    assert_eq!(premium("self:50 son:26"), premium("self:50 spouse:26"));
    assert!(premium("self:50 son:25") < premium("self:50 son:26"));
}

#[test]
fn a_child_below_the_minimum_child_age_is_refused() {
    let from_three_months = load(&changed(FLOATER, "child_age = { least = 0", "child_age = { least = 1"));
    let refused = |members| refused_by(&from_three_months, SAMPOORNA, members, DELHI, 1_000_000);
    assert_eq!(refused("self:30 son:0.5"), Some(NotOffered::ChildAge { least: 1, most: 25 }));
    assert_eq!(refused("self:30 son:1"), None);
}

#[test]
fn a_family_that_is_too_large_or_has_no_adult_is_refused() {
    assert_eq!(refused(SAMPOORNA, "self:40 spouse:40 son:1 son:2 daughter:3"), None);
    assert_eq!(refused(SAMPOORNA, "self:40 son:1 son:2 son:3 son:4"), Some(NotOffered::Family));
    assert_eq!(refused(SAMPOORNA, "son:8"), Some(NotOffered::Family));
    assert_eq!(refused(YUVA, "self:30 spouse:30"), Some(NotOffered::Family));
    assert_eq!(refused(YUVA, "self:30 son:3"), Some(NotOffered::Family)); // no word of children at all
    let many = "son:1 ".repeat(300);
    assert_eq!(refused(SAMPOORNA, &format!("self:40 {many}")), Some(NotOffered::Family));
}

#[test]
fn a_family_member_whose_relation_is_not_covered_is_refused() {
    assert_eq!(refused(SAMPOORNA, "self:40 mother:60"), Some(NotOffered::Relation(Relation::Mother)));
    assert_eq!(refused(MATA_PITA, "self:50 mother:60"), Some(NotOffered::Relation(Relation::Own)));
    assert_eq!(refused(RAKSHA, "self:40 mother:60"), None);
}

#[test]
fn a_variant_can_exclude_zones_and_an_insurer_can_have_its_own_zones() {
    let at = |id, pincode| refused_by(shared(), id, "self:30", pincode, 1_000_000);
    assert_eq!(at(YUVA, "744101"), Some(NotOffered::Zone)); // Port Blair: C of its insurer
    assert_eq!(at(YUVA, "682559"), Some(NotOffered::Zone)); // Kavaratti
    assert_eq!(at(YUVA, "682001"), None); // Kochi
    assert_eq!(at(RAKSHA, "744101"), None);
    let no_metro = load(&changed(SENIOR, "zones = [\"1\", \"2\", \"3\"]", "zones = [\"2\", \"3\"]"));
    assert_eq!(refused_by(&no_metro, RAKSHA, "self:30", DELHI, 1_000_000), Some(NotOffered::Zone));
    assert_eq!(refused_by(&no_metro, RAKSHA, "self:30", "560038", 1_000_000), None);
    // Changes of the catalogue's zones do not affect an insurer with its own zones.
    let moved = load(&with(ZONES, "prefix,zone\n1,3\n2,2\n*,1\n"));
    let price = |catalogue: &Catalogue, id| {
        health(catalogue, id).price(&family("self:30", DELHI, 1_000_000), TODAY).expect("an offer")
    };
    assert_eq!(price(&moved, SAMPOORNA), price(shared(), SAMPOORNA));
    assert_ne!(price(&moved, RAKSHA), price(shared(), RAKSHA));
}

#[test]
fn a_sum_insured_that_is_not_offered_is_refused() {
    let asked = |sum| refused_by(shared(), RAKSHA, "self:30", DELHI, sum);
    assert_eq!(asked(1_000_000), None);
    assert_eq!(asked(1_000_001), Some(NotOffered::SumInsured));
    assert_eq!(asked(5_000_000), Some(NotOffered::SumInsured));
}
