//! Speed of pricing: all sample variants of one request, their explanations, and a load of the sample.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::context::Context;
use domain::date::{BirthDate, Date};
use domain::health_quote::{Attribution, Customer, DEFAULT_SUM_INSURED, HealthRequest, PlanType};
use domain::id::{PartnerId, Uuid};
use domain::money::{CoverAmount, Rupees};
use domain::person::{Gender, HomePincode};
use domain::quote::{PolicyTerm, QuoteRequest};
use domain::text::FromText;
use rating::{Catalogue, Files, Members};

const TODAY: Date = Date::constant(2026, 11, 20);

fn ordinary() -> QuoteRequest {
    QuoteRequest {
        born: BirthDate::kept(Date::constant(1990, 6, 15)),
        gender: Gender::Female,
        cover: CoverAmount::of(Rupees::whole(500_000)).expect("above zero"),
        term: PolicyTerm::months(24).expect("two years"),
        context: Context::default(),
    }
}

/// Ten lakh for three in Bengaluru, one of them with an illness.
fn family() -> HealthRequest {
    let pincode = HomePincode::from_text("560038").expect("a pincode");
    HealthRequest {
        lead: None,
        user: None,
        session: None,
        customer: Customer { name: None, gender: None, phone: None, pincode, email: None },
        members: Members::from_text("self:40 spouse:34 son:8").expect("a family").0,
        has_ped: true,
        selected_peds: vec!["diabetes".to_owned()],
        plan: PlanType::Base,
        sum_insured: DEFAULT_SUM_INSURED,
        deductible: None,
        porting: None,
        attribution: Attribution::default(),
        covered_since: None,
    }
}

fn price(bench: &mut Criterion) {
    let files = Files::sample();
    let catalogue = Catalogue::load(&files).expect("the sample has no fault");
    let partner = PartnerId::from_uuid(Uuid::from_u128(7));
    let request = ordinary();
    bench.bench_function("price every sample variant of one request", |run| {
        run.iter(|| {
            let request = black_box(&request);
            let totals =
                catalogue.credit_variants(partner).filter_map(|variant| variant.price(request, TODAY).ok());
            totals.map(|premium| premium.total()).sum::<Rupees>()
        });
    });
    bench.bench_function("explain every sample variant of one request", |run| {
        run.iter(|| {
            let request = black_box(&request);
            catalogue
                .credit_variants(partner)
                .map(|variant| variant.explain(request, TODAY).steps.len())
                .sum::<usize>()
        });
    });
    let family = family();
    bench.bench_function("price every sample health variant of one request", |run| {
        run.iter(|| {
            let request = black_box(&family);
            let base = catalogue.health_variants(partner, PlanType::Base);
            let offers = base.filter_map(|variant| variant.price(request, TODAY).ok());
            offers.map(|offer| offer.tenures[0].premium.total()).sum::<Rupees>()
        });
    });
    bench.bench_function("explain every sample health variant of one request", |run| {
        run.iter(|| {
            let request = black_box(&family);
            let base = catalogue.health_variants(partner, PlanType::Base);
            base.map(|variant| variant.explain(request, TODAY).tenures.len()).sum::<usize>()
        });
    });
    bench.bench_function("load the sample", |run| run.iter(|| Catalogue::load(black_box(&files)).is_ok()));
}

criterion_group!(benches, price);
criterion_main!(benches);
