//! Documentation site for partners' developers: guides, error catalogue, reference, changelog, search.
//!
//! Pages are Markdown files in `pages`, which are compiled into the program. This crate depends on no web
//! server and on no other workspace crate. A site is created from [`Facts`]. [`Site::answer`] returns the
//! bytes of each path below `/docs`. One script copies code examples. The other scripts fill the reference
//! page, which is the only page that needs scripts.

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
pub use site::{Answer, AnswerKind, PAGE_POLICY, REFERENCE_POLICY, Site};
