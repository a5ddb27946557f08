//! The site for the partner's developer: guides, error catalogue, reference, changelog and search, in the program.
//!
//! Pages are Markdown in `pages`, compiled in. The crate knows no web server and no other crate of ours: [`Facts`] go in,
//! and [`Site::answer`] gives the bytes of each path below `/docs`. One script copies code; the others fill the
//! page of the reference, which alone needs scripts.

mod assets;
mod changelog;
mod codes;
mod escape;
mod etag;
mod facts;
mod layout;
mod link;
mod markdown;
mod search;
mod site;
mod source;

pub use assets::ICON;
pub use codes::{Unmatched, unmatched};
pub use facts::{ErrorCode, Facts};
pub use link::ROOT;
pub use site::{Answer, Kind, PAGE_POLICY, REFERENCE_POLICY, Site};
