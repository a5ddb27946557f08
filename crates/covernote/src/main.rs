//! The program.

use std::process::ExitCode;

/// A request makes many small allocations from many threads; mimalloc is fast at these.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    covernote::run()
}
