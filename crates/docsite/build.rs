//! Compiles again when a page was added, changed or removed: `include_dir!` does not tell cargo of its folder.

fn main() {
    println!("cargo::rerun-if-changed=pages");
}
