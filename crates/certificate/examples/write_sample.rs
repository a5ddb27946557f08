//! Writes a sample certificate.
//!
//! Run `cargo run -p certificate --example write_sample -- <kind> <path>`. The kinds are `level`, `reducing`,
//! `health`, `scripts`, `long` and `unruly`.

#[path = "../tests/sample/mod.rs"]
mod sample;

use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(kind), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err("usage: write_sample <level|reducing|health|scripts|long|unruly> <path>".into());
    };
    let certificate = match kind.as_str() {
        "level" => sample::level(),
        "reducing" => sample::reducing(),
        "health" => sample::health(),
        "scripts" => sample::scripts(),
        "long" => sample::long(),
        "unruly" => sample::unruly(),
        _ => return Err(format!("no such sample: {kind}").into()),
    };
    Ok(fs::write(path, certificate::render(&certificate)?)?)
}
