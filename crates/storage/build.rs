//! Builds anew when a migration comes; changed ones are seen by the compiler.

#[allow(clippy::print_stdout, reason = "this is how a build script speaks")]
fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
