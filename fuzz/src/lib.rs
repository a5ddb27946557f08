//! Fuzz targets. Each tests first its corpus, then mutations of its examples for a limited time.
//!
//! An input consists of a head (the first line) and a body (the bytes after it). The head says what the body
//! is for, such as an endpoint or a file's path. Mutations change only the body.
//!
//! ```ignore
//! fn judge(head: &str, body: &[u8]) {
//!     assert!(parse(body).is_err());
//! }
//!
//! #[test]
//! fn fuzzed_things_are_refused() {
//!     fuzz::target!("things", Examples::of(Format::Json).with("POST /things", good()), judge);
//! }
//! ```

mod examples;
mod input;
mod json_edits;
mod text_edits;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

#[doc(hidden)]
pub use bolero;
pub use examples::{Examples, Format};
pub use input::Input;

/// Tests an input. Panics if the tested code is wrong.
pub type Judge = fn(head: &str, body: &[u8]);

/// Runs a target: replays its corpus, then tests mutations of its examples for [`time`].
#[macro_export]
macro_rules! target {
    ($name:literal, $examples:expr, $judge:path) => {{
        let examples: $crate::Examples = $examples;
        $crate::replay($name, $judge);
        $crate::bolero::check!(name = $name)
            .with_generator(examples)
            .with_test_time($crate::time())
            .for_each(|input: &$crate::Input| $crate::judge_kept($name, input, $judge));
    }};
}

/// Run time of a target: two seconds, or `COVERNOTE_FUZZ_SECONDS`.
///
/// # Panics
/// If the variable is not a number.
pub fn time() -> Duration {
    match std::env::var("COVERNOTE_FUZZ_SECONDS") {
        Ok(seconds) => {
            Duration::from_secs(seconds.parse().expect("COVERNOTE_FUZZ_SECONDS is a number of seconds"))
        }
        Err(_) => Duration::from_secs(2),
    }
}

/// Tests every input of a target's corpus.
///
/// # Panics
/// If an input fails, with its file name. If there is no corpus.
pub fn replay(name: &str, judge: Judge) {
    let folder = here().join("corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|fault| panic!("the corpus of {name}: {fault}"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("an entry of the corpus").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "the corpus of {name} is empty");
    for file in files {
        let input = Input::of_bytes(&fs::read(&file).expect("a file of the corpus"));
        let judged = catch_unwind(|| judge(&input.head, &input.body));
        assert!(judged.is_ok(), "{} fails: the panic before this one says why", file.display());
    }
}

/// Tests an input. A failing input is stored in `found`, where a smaller one replaces it. With
/// `COVERNOTE_FUZZ_KEEP`, each input is stored before its test, to find one that ends the whole process.
///
/// # Panics
/// If the judge panics.
pub fn judge_kept(name: &str, input: &Input, judge: Judge) {
    static KEEPS_ALL: LazyLock<bool> = LazyLock::new(|| std::env::var_os("COVERNOTE_FUZZ_KEEP").is_some());
    let keep = || {
        let folder = here().join("found");
        fs::create_dir_all(&folder).expect("a folder for what is found");
        fs::write(folder.join(name), input.to_bytes()).expect("what is found can be kept");
    };
    if *KEEPS_ALL {
        keep();
    }
    let Err(cause) = catch_unwind(|| judge(&input.head, &input.body)) else { return };
    keep();
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text");
    panic!(
        "{text}\nThe input is in fuzz/found/{name}: move it to fuzz/corpus/{name} under a name that says what it is."
    );
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Planted fault: fails if the list has more than two members and the name is not text. No single edit of
    /// the example causes it.
    fn planted(_: &str, body: &[u8]) {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(body) else { return };
        let members = value["members"].as_array().map(Vec::as_slice).unwrap_or_default();
        let found = members.len() > 2 && !value["name"].is_string();
        assert!(!found, "a planted fault");
    }

    #[test]
    fn a_planted_fault_is_found_and_kept() {
        let example = br#"{"members": [{"age": 34}, {"age": 36}], "name": "Asha"}"#;
        let found = catch_unwind(|| {
            let examples = Examples::of(Format::Json).with("members", *example);
            bolero::check!(name = "planted")
                .with_generator(examples)
                .with_iterations(100_000)
                .with_test_time(Duration::from_secs(60))
                .for_each(|input: &Input| judge_kept("planted", input, planted));
        });
        assert!(found.is_err(), "the planted fault is not found");
        let kept = here().join("found").join("planted");
        let input = Input::of_bytes(&fs::read(&kept).expect("kept"));
        assert!(catch_unwind(|| planted(&input.head, &input.body)).is_err(), "{input:?}");
        fs::remove_file(kept).expect("removed");
    }

    #[test]
    #[should_panic(expected = "the corpus of nothing")]
    fn a_target_without_a_corpus_fails() {
        replay("nothing", |_, _| ());
    }
}
