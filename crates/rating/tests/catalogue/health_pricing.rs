//! Tests prices of health products, with their explanations.

use domain::date::Date;
use domain::health_quote::{HealthOffer, HealthRequest, NotOffered, PlanType};
use domain::id::{PartnerId, Uuid};
use domain::money::Rupees;
use proptest::prelude::*;
use rating::Catalogue;

use crate::edit::{
    APNA, FLOATER, FLOATER_TABLE, KAVACH, MATA_PITA, PER_MEMBER, RAKSHA, RAKSHA_PLUS, SAMPOORNA, SARAL,
    SENIOR, SENIOR_INSURER, TODAY, TOP_UP, YUVA, changed, family, health, ill, line, load, shared,
};

/// A day on which health was taxed at 18 %, and the last such day.
const TAXED: Date = Date::constant(2024, 5, 15);
const LAST_TAXED: Date = Date::constant(2025, 9, 21);

/// Pincodes of Delhi, Bengaluru, Indore and Port Blair.
const DELHI: &str = "110001";
const BENGALURU: &str = "560038";
const INDORE: &str = "452001";
const PORT_BLAIR: &str = "744101";

const THREE: &str = "self:40 spouse:34 son:8";

/// Totals of all tenures that a variant offers on a day, or the refusal.
fn totals_on(catalogue: &Catalogue, id: &str, request: &HealthRequest, on: Date) -> String {
    match health(catalogue, id).price(request, on) {
        Ok(offer) => {
            let totals = offer.tenures.iter().map(|tenure| tenure.premium.total().to_string());
            totals.collect::<Vec<_>>().join(" ")
        }
        Err(refused) => refused.to_string(),
    }
}

/// Like [`totals_on`], for the sample on [`TODAY`].
fn totals(id: &str, request: &HealthRequest) -> String {
    totals_on(shared(), id, request, TODAY)
}

fn offer(id: &str, request: &HealthRequest) -> HealthOffer {
    health(shared(), id).price(request, TODAY).expect("an offer")
}

fn with_deductible(request: HealthRequest, deductible: i64) -> HealthRequest {
    HealthRequest { deductible: Some(Rupees::whole(deductible)), ..request }
}

#[test]
fn family_prices_equal_the_published_chart_to_the_rupee() {
    for (members, sum_insured, total) in [
        (THREE, 500_000, "15702.00 "), // 13,153 + 1,586 + 963
        ("self:30", 1_000_000, "14369.00 "),
        ("father:62 mother:58", 300_000, "30199.00 "), // 22,340 + 7,859
    ] {
        let request = family(members, DELHI, sum_insured);
        let totals = totals_on(shared(), RAKSHA, &request, TAXED);
        assert!(totals.starts_with(total), "{members}: {totals}");
    }
}

#[test]
fn tax_included_in_the_rates_is_subtracted_when_the_cover_is_exempt() {
    let request = family(THREE, DELHI, 500_000); // D23
    let parts = |on: Date| {
        let offer = health(shared(), RAKSHA).price(&request, on).expect("an offer");
        let premium = offer.tenures[0].premium;
        format!("{} + {} = {}", premium.base(), premium.gst(), premium.total())
    };
    assert_eq!(parts(TAXED), "13306.78 + 2395.22 = 15702.00");
    assert_eq!(parts(LAST_TAXED), "13306.78 + 2395.22 = 15702.00");
    assert_eq!(parts(LAST_TAXED.tomorrow().expect("a day")), "13306.78 + 0.00 = 13306.78");
    let without_the_day = load(&changed(SENIOR, "rates_as_of = 2024-04-01\n", ""));
    assert!(totals_on(&without_the_day, RAKSHA, &request, TODAY).starts_with("15702.00 "));
}

#[test]
fn tax_not_included_in_the_rates_is_added_until_the_cover_is_exempt() {
    let request = family("self:30", DELHI, 1_000_000); // D23
    let first = |on| {
        let totals = totals_on(shared(), SAMPOORNA, &request, on);
        totals.split(' ').next().map(str::to_owned)
    };
    assert_eq!(first(LAST_TAXED).as_deref(), Some("11194.66")); // 9,487 and 1,707.66
    assert_eq!(first(TODAY).as_deref(), Some("9487.00"));
}

#[test]
fn the_price_of_a_floater_depends_on_zone_family_size_and_the_eldest_age() {
    let first = |members: &str, pincode: &str| {
        let totals = totals(SAMPOORNA, &family(members, pincode, 1_000_000));
        totals.split(' ').next().map(str::to_owned)
    };
    assert_eq!(first(THREE, BENGALURU).as_deref(), Some("23185.00")); // metro, 2A1C, 36 to 40
    assert_eq!(first("self:34 spouse:40 daughter:8", BENGALURU).as_deref(), Some("23185.00"));
    assert_eq!(first("self:34 spouse:41 daughter:8", BENGALURU).as_deref(), Some("28053.00"));
    assert_eq!(first(THREE, INDORE).as_deref(), Some("20033.00")); // the rest of India
}

#[test]
fn a_per_member_price_is_the_sum_of_the_members_less_the_family_discount() {
    let first = |request: &HealthRequest| totals(APNA, request).split(' ').next().map(str::to_owned);
    let three = family(THREE, BENGALURU, 1_000_000);
    assert_eq!(first(&family("self:40", BENGALURU, 1_000_000)).as_deref(), Some("10907.00"));
    assert_eq!(first(&three).as_deref(), Some("21879.00")); // (10,907 + 9,305 + 4,098) less 10 %
    let from_four = changed(PER_MEMBER, "family_discount_from = 2", "family_discount_from = 4");
    assert!(totals_on(&load(&from_four), APNA, &three, TODAY).starts_with("24310.00 "));
}

#[test]
fn the_eldest_member_and_the_other_members_are_priced_by_different_rates() {
    let parents = |members| totals(MATA_PITA, &family(members, DELHI, 1_000_000));
    assert_eq!(parents("father:66 mother:61"), "74816.00 138410.00"); // 51,586 + 23,230
    assert_eq!(parents("father:61 mother:66"), "74816.00 138410.00");
    assert_eq!(parents("mother:66"), "51586.00 95434.00");
    // If both have the same age, one counts as the eldest, the other as another member.
    assert_eq!(parents("father:66 mother:66"), "81506.00 150786.00"); // 51,586 + 29,920
}

#[test]
fn the_price_of_a_super_top_up_depends_on_its_deductible() {
    let couple = family("self:40 spouse:34", BENGALURU, 1_000_000); // D16
    let five_lakh = with_deductible(couple.clone(), 500_000);
    assert_eq!(totals(KAVACH, &five_lakh), "4488.00 8303.00 12118.00");
    assert_eq!(offer(KAVACH, &five_lakh).deductible, Rupees::whole(500_000));
    // By default, the smallest deductible applies.
    assert_eq!(totals(KAVACH, &couple), "7854.00 14530.00 21206.00");
    assert_eq!(offer(KAVACH, &couple).deductible, Rupees::whole(200_000));
    let other = with_deductible(couple, 400_000);
    assert_eq!(health(shared(), KAVACH).price(&other, TODAY), Err(NotOffered::Deductible));
}

#[test]
fn a_base_plan_offers_only_the_deductibles_of_the_catalogue() {
    let one = family("self:40", DELHI, 1_000_000); // D16
    assert_eq!(offer(APNA, &one).deductible, Rupees::ZERO);
    let bearing = with_deductible(one.clone(), 50_000);
    assert_eq!(offer(APNA, &bearing).deductible, Rupees::whole(50_000));
    assert!(offer(APNA, &bearing).tenures[0].premium.total() < offer(APNA, &one).tenures[0].premium.total());
    assert_eq!(health(shared(), SAMPOORNA).price(&bearing, TODAY), Err(NotOffered::Deductible));
}

#[test]
fn longer_tenures_cost_less_per_year() {
    let totals = totals_on(shared(), RAKSHA, &family(THREE, DELHI, 500_000), TAXED);
    assert_eq!(totals, "15702.00 29049.00 42395.00"); // 7.5 % off two years, 10 % off three
    let years: Vec<u8> =
        offer(APNA, &family("self:40", DELHI, 500_000)).tenures.iter().map(|tenure| tenure.years).collect();
    assert_eq!(years, [1, 2, 3]);
}

#[test]
fn each_illness_loads_the_price_once_up_to_the_maximum_loading() {
    let three = || family(THREE, DELHI, 500_000); // D16; 20, 10, 5, 5, 10 and 25 percent; 60 at most
    let loaded = |illnesses: &[&str]| {
        let totals = totals_on(shared(), RAKSHA, &ill(three(), illnesses), TAXED);
        totals.split(' ').next().map(str::to_owned)
    };
    assert_eq!(loaded(&["diabetes"]).as_deref(), Some("18842.00")); // 15,702 and 20 %, 18,842.40
    assert_eq!(loaded(&["diabetes", "Diabetes", " diabetes "]).as_deref(), Some("18842.00"));
    assert_eq!(loaded(&["diabetes", "hypertension"]).as_deref(), Some("20413.00")); // 30 %, 20,412.60
    assert_eq!(loaded(&["other"]).as_deref(), Some("19628.00")); // 25 %, 19,627.50
    assert_eq!(loaded(&["gout", "migraine"]).as_deref(), Some("19628.00")); // both are another illness
    assert_eq!(loaded(&[]).as_deref(), Some("19628.00")); // an illness without an id
    assert_eq!(loaded(&["epilepsy"]).as_deref(), Some("19628.00")); // not named by the product
    assert_eq!(loaded(&["epilepsy", "stroke"]).as_deref(), Some("23553.00")); // 50 %: two illnesses
    let all = ["diabetes", "hypertension", "asthma", "other"];
    assert_eq!(loaded(&all).as_deref(), Some("25123.00")); // 65 %, capped at 60
    let refused = health(shared(), RAKSHA).price(&ill(three(), &["diabetes", "cancer"]), TAXED);
    assert_eq!(refused, Err(NotOffered::Illness));
    // An illness is named, but `has_ped` says that nobody has it.
    let nobody = HealthRequest { has_ped: false, ..ill(three(), &["cancer"]) };
    assert!(totals_on(shared(), RAKSHA, &nobody, TAXED).starts_with("15702.00 "));
}

#[test]
fn a_co_pay_can_apply_from_a_given_age() {
    let saral = |members: &str| offer(SARAL, &family(members, DELHI, 1_000_000)).copay_percent; // D51
    assert_eq!(saral("self:60 spouse:58"), 0);
    assert_eq!(saral("self:60 spouse:61"), 20);
    assert_eq!(offer(SAMPOORNA, &family("self:61", DELHI, 1_000_000)).copay_percent, 0);
}

#[test]
fn an_offer_is_ranked_by_its_premium_per_year() {
    let request = family(THREE, DELHI, 1_000_000); // D19
    let variant = health(shared(), SAMPOORNA);
    let candidate = variant.candidate(&offer(SAMPOORNA, &request), request.sum_insured);
    assert_eq!(candidate.yearly_premium, Rupees::whole(23_185));
    assert_eq!(candidate.sum_insured, Rupees::whole(1_000_000));
    assert_eq!(candidate.claim_ratio.to_string(), "94.8");
    assert_eq!(
        (candidate.network_hospitals, candidate.waiting_months, candidate.copay_percent),
        (14_200, 36, 0)
    );
    // Sold for two or three years only: half of the premium for two years.
    let from_two = changed(FLOATER, "{ years = 1 }, { years = 2", "{ years = 2");
    let from_two = load(&from_two);
    let variant = health(&from_two, SAMPOORNA);
    let offer = variant.price(&request, TODAY).expect("an offer");
    let candidate = variant.candidate(&offer, request.sum_insured);
    assert_eq!(candidate.yearly_premium, Rupees::whole(21_446));
}

#[test]
fn a_variant_priced_by_its_insurer_over_http_has_no_local_price() {
    let http = "network_hospitals = 11400\nconnector = \"http\"\n[http]\nurl = \"https://drishtant.example\"\nauthentication = \"hmac\"\nsecret = \"drishtant\"";
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        let Ok(text) = String::from_utf8(content.clone()) else { continue };
        *content = match path.as_str() {
            SENIOR_INSURER => text
                .replace("claim_settlement_ratio = 96.4\n", "")
                .replace("network_hospitals = 11400", &format!("claim_settlement_ratio = 96.4\n{http}")),
            SENIOR => {
                let (before, price) = text.split_once("[variant.price]").expect("a price");
                let (_, after) = price.split_once("[[variant]]").expect("another variant");
                format!("{before}[[variant]]{after}")
            }
            _ => text,
        }
        .into_bytes();
    }
    let catalogue = load(&rating::Files::of(files).expect("plain paths"));
    let request = family(THREE, DELHI, 500_000);
    assert_eq!(health(&catalogue, RAKSHA).price(&request, TODAY), Err(NotOffered::InsurerFailed));
    assert!(health(&catalogue, RAKSHA_PLUS).price(&request, TODAY).is_ok()); // still has a price for its mock
}

#[test]
fn a_health_price_is_explained_step_by_step() {
    let explanation = health(shared(), RAKSHA).explain(&family(THREE, DELHI, 500_000), TODAY);
    let second = &explanation.tenures[1];
    assert_eq!(second.years, 2);
    let printed: Vec<String> = second
        .steps
        .iter()
        .map(|step| {
            let location = step.location.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} | {location} | {} | {}", step.kind, step.factor, step.amount.normalize())
        })
        .collect();
    let step = |step: &str| format!("{SENIOR}:{}", line(SENIOR, step));
    let loading = format!("Loading for illnesses | {} | +0 % | 15702", step("{ illness_loading = true }"));
    let tenure = format!("Tenure | {} | 2 years, -7.5 % | 29048.7", step("{ tenure = true }"));
    let rounding = format!("Rounding | {} | to the rupee, half up | 29049", step("{ round = \"rupee\" }"));
    assert_eq!(
        printed,
        [
            "The eldest, ages 36 to 40, sum insured ₹5,00,000 | insurers/drishtant/parivar-raksha-eldest.csv:7 | \
             +13153.00 a year | 13153",
            "Another member, ages 31 to 35, sum insured ₹5,00,000 | insurers/drishtant/parivar-raksha-others.csv:7 | \
             +1586.00 a year | 14739",
            "Another member, ages 0 to 17, sum insured ₹5,00,000 | insurers/drishtant/parivar-raksha-others.csv:4 | \
             +963.00 a year | 15702",
            loading.as_str(),
            tenure.as_str(),
            rounding.as_str(),
            "Less the tax of 4431.20 that the rates of 2024-04-01 include | catalogue.toml:59 | 18 % | 24617.8",
            "No tax: this class of cover is exempt, on a base of 24617.80 | catalogue.toml:66 | exempt | 24617.8",
        ]
    );
    let explanation = health(shared(), APNA).explain(&family("self:40 spouse:34", DELHI, 500_000), TODAY);
    let discount = explanation.tenures[0]
        .steps
        .iter()
        .find(|step| step.kind.to_string() == "Discount for a family of 2");
    assert_eq!(discount.map(|step| step.factor.as_str()), Some("-10 %"));
    let refused = health(shared(), YUVA).explain(&family(THREE, DELHI, 500_000), TODAY);
    assert_eq!((refused.tenures.len(), refused.outcome), (0, Err(NotOffered::Family)));
}

#[test]
fn a_premium_that_is_too_large_is_not_offered() {
    let many = ["{ loading_percent = 900 }"; 22].join(", ");
    let catalogue = load(&changed(
        TOP_UP,
        "{ illness_loading = true },",
        &format!("{many}, {{ illness_loading = true }},"),
    ));
    let request = family(THREE, DELHI, 1_000_000);
    assert_eq!(health(&catalogue, KAVACH).price(&request, TODAY), Err(NotOffered::TooLarge));
    assert_eq!(health(&catalogue, KAVACH).explain(&request, TODAY).outcome, Err(NotOffered::TooLarge));
}

#[test]
fn a_rate_cell_can_be_blank_if_no_variant_offers_its_sum_insured() {
    let row = "metro,1A,18,25,6859,7917,8587,9472,10595,12149,14364";
    let blank = "metro,1A,18,25,6859,7917,8587,9472,10595,12149,";
    let narrower = changed(FLOATER, "[1000000, 1500000, 2500000, 5000000, 10000000]", "[1000000]");
    let mut files: Vec<(String, Vec<u8>)> = narrower
        .paths()
        .map(|path| (path.to_owned(), narrower.get(path).expect("listed").to_vec()))
        .collect();
    for (path, content) in &mut files {
        let Ok(text) = String::from_utf8(content.clone()) else { continue };
        if path == FLOATER_TABLE {
            assert!(text.contains(row));
            *content = text.replace(row, blank).into_bytes();
        }
        if path == FLOATER {
            *content = text.replace("[5000000, 10000000]", "[5000000]").into_bytes();
        }
    }
    let catalogue = load(&rating::Files::of(files).expect("plain paths"));
    let young = family("self:20", DELHI, 1_000_000);
    assert!(totals_on(&catalogue, SAMPOORNA, &young, TODAY).starts_with("8587.00 "));
}

#[test]
fn a_partner_sells_only_the_health_plans_of_its_assortment() {
    let partner = |n| PartnerId::from_uuid(Uuid::from_u128(n));
    let assortment = format!(
        "[[assortment]]\npartner = \"{}\"\nvariants = [\"{SAMPOORNA}\", \"{KAVACH}\", \"{RAKSHA}\"]\n[[tax]]",
        partner(1)
    );
    let catalogue = load(&changed("catalogue.toml", "[[tax]]", &assortment));
    let sold = |partner, plan| {
        catalogue.health_variants(partner, plan).map(|variant| variant.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(sold(partner(1), PlanType::Base), [RAKSHA, SAMPOORNA]);
    assert_eq!(sold(partner(1), PlanType::SuperTopUp), [KAVACH]);
    assert_eq!(catalogue.credit_variants(partner(1)).len(), 0);
    let all = sold(partner(2), PlanType::Base).len() + sold(partner(2), PlanType::SuperTopUp).len();
    assert_eq!(all, catalogue.all_health_variants().len());
}

/// Families of all shapes. Some have a member outside the age limits.
fn families() -> impl Strategy<Value = String> {
    let adult = 16_u8..=101;
    let child = 0_u8..=30;
    (
        prop::option::of(adult.clone()),
        prop::option::of(adult.clone()),
        prop::option::of(adult.clone()),
        prop::option::of(adult),
        prop::collection::vec(child, 0..6),
    )
        .prop_map(|(own, spouse, father, mother, children)| {
            let adults = [("self", own), ("spouse", spouse), ("father", father), ("mother", mother)];
            let mut members: Vec<String> =
                adults.iter().filter_map(|(who, age)| Some(format!("{who}:{}", (*age)?))).collect();
            members.extend(children.iter().map(|age| format!("daughter:{age}")));
            if members.is_empty() { "self:30".to_owned() } else { members.join(" ") }
        })
}

proptest! {
    #[test]
    fn every_health_offer_adds_up_and_equals_its_explanation(
        members in families(),
        pincode in 100_000_u32..=999_999,
        sum in prop::sample::select(vec![300_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 123_456]),
        deductible in prop::option::of(prop::sample::select(vec![50_000, 300_000, 500_000, 1_000_000])),
        illnesses in prop::collection::vec(prop::sample::select(vec!["diabetes", "asthma", "cancer", "unheard-of"]), 0..4),
        day in 0_u64..7_000,
    ) { // D16, D17, D23
        let on = Date::constant(2015, 1, 1)
            .checked_add(std::time::Duration::from_secs(86_400 * day)).expect("a day");
        let request = family(&members, &pincode.to_string(), sum);
        let request = match deductible {
            Some(deductible) => with_deductible(request, deductible),
            None => request,
        };
        let request = if illnesses.is_empty() { request } else { ill(request, &illnesses) };
        for variant in shared().all_health_variants() {
            let outcome = variant.price(&request, on);
            let explained = variant.explain(&request, on);
            prop_assert_eq!(&explained.outcome, &outcome);
            let Ok(offer) = outcome else { continue };
            prop_assert!(variant.deductibles.contains(&offer.deductible));
            prop_assert!(offer.tenures.is_sorted_by(|one, next| one.years < next.years));
            prop_assert_eq!(offer.tenures.len(), explained.tenures.len());
            for (tenure, explanation) in offer.tenures.iter().zip(&explained.tenures) {
                let premium = tenure.premium;
                prop_assert_eq!(premium.base() + premium.gst(), premium.total());
                prop_assert!(premium.base() > Rupees::ZERO);
                prop_assert_eq!(tenure.years, explanation.years);
                prop_assert_eq!(explanation.steps.last().map(|step| step.amount), Some(premium.total().to_decimal()));
            }
        }
    }

    #[test]
    fn a_higher_sum_insured_always_costs_more(members in families(), pincode in 100_000_u32..=999_999) {
        for variant in shared().all_health_variants() {
            let premiums = variant.sums_insured.iter().filter_map(|sum| {
                let request = family(&members, &pincode.to_string(), sum.paise() / 100);
                variant.price(&request, TODAY).ok().map(|offer| offer.tenures[0].premium.total())
            });
            prop_assert!(premiums.collect::<Vec<_>>().is_sorted_by(|one, next| one < next));
        }
    }
}

#[test]
fn every_age_sum_and_deductible_of_a_health_variant_has_a_price_in_its_zones() {
    // Every age of one adult, with and without a child of every age, for every place, sum and deductible.
    let places = [DELHI, BENGALURU, INDORE, PORT_BLAIR];
    for variant in shared().all_health_variants() {
        let ages = variant.limits.adult_age;
        let relation = if variant.limits.relations.contains(&domain::health_quote::Relation::Own) {
            "self"
        } else {
            "father"
        };
        let mut offers = 0;
        for (at, age) in (ages.least..=ages.most).enumerate() {
            let with_child = variant.limits.children.most > 0 && at % 2 == 0;
            let child = variant.limits.child_age.least + at as u16 % 20;
            let members = if with_child {
                format!("{relation}:{age} son:{child}")
            } else {
                format!("{relation}:{age}")
            };
            for sum in &variant.sums_insured {
                for deductible in &variant.deductibles {
                    let request = family(&members, places[at % 4], sum.paise() / 100);
                    let asked = Some(*deductible).filter(|deductible| *deductible > Rupees::ZERO);
                    let outcome = variant.price(&HealthRequest { deductible: asked, ..request }, TODAY);
                    let zone_alone = matches!(outcome, Ok(_) | Err(NotOffered::Zone));
                    assert!(zone_alone, "{} {members}: {outcome:?}", variant.name);
                    offers += usize::from(outcome.is_ok());
                }
            }
        }
        assert!(offers > 0, "{}", variant.name);
    }
}
