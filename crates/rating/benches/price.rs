//! Speed of pricing: all sample variants of one request, their explanations, and a load of the sample.

#![allow(missing_docs, reason = "criterion's macros make the items")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::context::Context;
use domain::date::{BirthDate, Date};
use domain::id::{PartnerId, Uuid};
use domain::money::{CoverAmount, Rupees};
use domain::person::Gender;
use domain::quote::{PolicyTerm, QuoteRequest};
use rating::{Catalogue, Files};

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
    bench.bench_function("load the sample", |run| run.iter(|| Catalogue::load(black_box(&files)).is_ok()));
}

criterion_group!(benches, price);
criterion_main!(benches);
