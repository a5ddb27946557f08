//! Rebuilds the crate after changes in `pages`. `include_dir!` does not tell cargo about its folder.

fn main() {
    println!("cargo::rerun-if-changed=pages");
}
