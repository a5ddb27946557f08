//! Measures the time to render a certificate.

#[path = "../tests/sample/mod.rs"]
mod sample;

use criterion::{Criterion, criterion_group, criterion_main};

fn render(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("render");
    let samples = [
        ("level", sample::level()),
        ("reducing", sample::reducing()),
        ("health", sample::health()),
        ("scripts", sample::scripts()),
    ];
    for (name, certificate) in samples {
        group.bench_function(name, |bencher| bencher.iter(|| certificate::render(&certificate)));
    }
    group.finish();
}

criterion_group!(benches, render);
criterion_main!(benches);
