//! The program.

use std::process::ExitCode;

/// Small allocations from many threads are what a request is made of.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    covernote::run()
}
