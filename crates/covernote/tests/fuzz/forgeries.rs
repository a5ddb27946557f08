//! Fuzzed cursors, tokens and signed addresses: every edit of a genuine one is refused (D4, D30, D33).
//!
//! Keys differ from run to run, so an input is not a forgery, but its recipe, with four bytes for each edit:
//! [`forged`].

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fuzz::{Examples, Format};
use tokio::runtime::Runtime;

use crate::lists::{LETTERS, LISTS, POLICIES, QUOTES, WAYS, text};
use crate::support::{App, Setup};
use crate::{in_address, is_of_the_contract};

/// Characters that are near letters in texts, or that some parsers ignore.
const SIGNS: &[u8] = b"=+/. \t%~,;\"'&#?!{}|*";

/// Genuine texts of one kind, such as cursors.
struct Genuine {
    /// Texts that are valid for the target.
    good: Vec<String>,
    /// Genuine texts of others. Edits take parts of them.
    foreign: Vec<String>,
}

struct Site {
    runtime: Runtime,
    app: App,
    quote_cursors: Genuine,
    policy_cursors: Genuine,
    tokens: Genuine,
    downloads: Genuine,
    status_codes: Genuine,
}

fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let runtime = Runtime::new().expect("a runtime");
        let (app, [quotes, policies, theirs], tokens, addresses) = runtime.block_on(async {
            let app = Setup { workers: 0, ..Setup::default() }.start().await;
            let other = app.new_partner("Other Lender").await;
            let mut cursors = Vec::new();
            for list in [QUOTES, POLICIES] {
                let middle = list.middle_pages(&app).await;
                let pages =
                    middle.iter().flat_map(|(_, page)| WAYS.map(|(_, field)| text(page, field).to_owned()));
                cursors.push(pages.collect());
            }
            QUOTES.has(&app, &other, None, 3).await;
            let path = format!("{}?start_date=2026-11-20&end_date=2026-11-20&limit=1", QUOTES.path);
            let page = app.as_partner(&other, "GET", &path, None).await.json();
            cursors.push(vec![text(&page, "end_cursor").to_owned()]);
            let cursors: [Vec<String>; 3] = cursors.try_into().expect("three lists");
            let tokens = Genuine {
                good: vec![app.partner().token.clone(), other.token.clone()],
                foreign: vec![app.token_of(app.partner(), &["business.session"]).await],
            };
            let mut addresses = (Vec::new(), Vec::new());
            for _ in 0..2 {
                let id = app.has_proposal("COMPLETED").await;
                let path = app.download_path(&id).await;
                addresses.0.push(path.strip_prefix(DOWNLOADS).expect("a download").to_owned());
                let id = id.parse().expect("an id");
                addresses.1.push(app.service.status_pages.code(app.partner().id, id));
            }
            (app, cursors, tokens, addresses)
        });
        let (downloads, codes) = addresses;
        let both = |one: &[String], other: &[String]| [one, other].concat();
        Site {
            runtime,
            app,
            quote_cursors: Genuine { foreign: both(&policies, &theirs), good: quotes.clone() },
            policy_cursors: Genuine { foreign: both(&quotes, &theirs), good: policies },
            tokens,
            downloads: Genuine { good: downloads.clone(), foreign: codes.clone() },
            status_codes: Genuine { good: codes, foreign: downloads },
        }
    })
}

/// Most edits of a recipe that are applied. Each may double the text.
const MOST_EDITS: usize = 4;

/// Path of signed downloads.
const DOWNLOADS: &str = "/v1/embedded/policy/";

/// A genuine text after the edits of a recipe. `None` if the result is genuine, too.
///
/// The first byte chooses the text. Each edit has four bytes: kind, place (two bytes), and a value.
fn forged(recipe: &[u8], genuine: &Genuine) -> Option<String> {
    let (first, edits) = recipe.split_first()?;
    let mut text = genuine.good[usize::from(*first) % genuine.good.len()].clone().into_bytes();
    for edit in edits.chunks_exact(4).take(MOST_EDITS) {
        let value = usize::from(edit[3]);
        let at = usize::from(u16::from_be_bytes([edit[1], edit[2]])) % (text.len() + 1);
        let one = at..text.len().min(at + 1);
        match edit[0] % 10 {
            0 => drop(text.splice(one, [LETTERS[value % 64]])),
            1 => drop(text.splice(at..at, [LETTERS[value % 64]])),
            2 => drop(text.splice(at..at, [SIGNS[value % SIGNS.len()]])),
            3 => drop(text.drain(one)),
            4 => text.truncate(at),
            5 => {
                // The end of another text, from the same place on.
                let others: Vec<&String> = genuine.good.iter().chain(&genuine.foreign).collect();
                let other = others[value % others.len()].as_bytes();
                text.truncate(at);
                text.extend_from_slice(other.get(at..).unwrap_or_default());
            }
            6 => text.extend_from_within(at..),
            7 => text.iter_mut().skip(at).take(1).for_each(|byte| {
                *byte = if byte.is_ascii_lowercase() {
                    byte.to_ascii_uppercase()
                } else {
                    byte.to_ascii_lowercase()
                };
            }),
            _ => text = with_byte_changed(&text, at, value.max(1) as u8),
        }
    }
    let text = String::from_utf8(text).expect("every edit is ASCII");
    // Spaces around a text are ignored.
    (!genuine.good.iter().any(|good| good == text.trim())).then_some(text)
}

/// Changes one of the bytes that a text encodes. Its parts, separated by points, are Base64.
fn with_byte_changed(text: &[u8], at: usize, with: u8) -> Vec<u8> {
    let begin = text[..at].iter().rposition(|byte| *byte == b'.').map_or(0, |point| point + 1);
    let end = text[at..].iter().position(|byte| *byte == b'.').map_or(text.len(), |point| at + point);
    let Ok(mut bytes) = URL_SAFE_NO_PAD.decode(&text[begin..end]) else { return text.to_vec() };
    let place = (at - begin) * 3 / 4;
    bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= with);
    [&text[..begin], URL_SAFE_NO_PAD.encode(bytes).as_bytes(), &text[end..]].concat()
}

/// A recipe for each kind of edit, as examples for the fuzzer.
fn recipes(heads: &[&str]) -> Examples {
    let mut examples = Examples::of(Format::Bytes);
    for head in heads {
        for edit in 0..9 {
            examples = examples.with(head, [edit % 2, edit, 0, 17 * (edit + 1), 91]);
        }
        examples =
            examples.with(head, [0, 5, 0, 40, 1, 8, 0, 60, 1]).with(head, [1, 8, 0, 2, 1, 8, 0, 200, 128]);
    }
    examples
}

/// The head is the path of the list.
fn judge_cursor(head: &str, recipe: &[u8]) {
    let Site { runtime, app, quote_cursors, policy_cursors, .. } = site();
    let list = LISTS.into_iter().find(|list| list.path == head).expect("the head is a list");
    let genuine = if list == QUOTES { quote_cursors } else { policy_cursors };
    let Some(forged) = forged(recipe, genuine) else { return };
    if forged.trim().is_empty() {
        return; // No cursor at all is the first page.
    }
    // Escaped, because plus signs and separators of parameters would be read as something else.
    let escaped: String = forged.bytes().map(|byte| format!("%{byte:02X}")).collect();
    for (parameter, _) in WAYS {
        runtime.block_on(list.refuses(app, &format!("{parameter}={escaped}"), &[parameter]));
    }
}

#[test]
fn fuzzed_cursors_are_refused() {
    let Site { runtime, app, quote_cursors, policy_cursors, .. } = site();
    for (list, genuine) in [(QUOTES, quote_cursors), (POLICIES, policy_cursors)] {
        for cursor in &genuine.good {
            runtime.block_on(list.page(app, &format!("next={cursor}")));
        }
    }
    fuzz::target!("cursors", recipes(&[QUOTES.path, POLICIES.path]), judge_cursor);
}

fn ask_with(token: &str) -> u16 {
    let Site { runtime, app, .. } = site();
    let request = app.request("GET", POLICIES.path).header("authorization", format!("Bearer {token}"));
    let answer = runtime.block_on(app.send(request));
    is_of_the_contract(&answer);
    answer.status
}

fn judge_token(_: &str, recipe: &[u8]) {
    let Some(forged) = forged(recipe, &site().tokens) else { return };
    // The default partner's token without the scope is genuine, so it gets 403.
    let is_foreign = site().tokens.foreign.iter().any(|foreign| foreign == forged.trim());
    assert_eq!(ask_with(&forged), if is_foreign { 403 } else { 401 }, "a forged token");
}

#[test]
fn fuzzed_tokens_are_refused() {
    for token in &site().tokens.good {
        assert_eq!(ask_with(token), 200);
    }
    fuzz::target!("tokens", recipes(&["token"]), judge_token);
}

/// The head is the path before the signed text.
fn judge_address(head: &str, recipe: &[u8]) {
    let Site { runtime, app, downloads, status_codes, .. } = site();
    let genuine = if head == DOWNLOADS { downloads } else { status_codes };
    let Some(forged) = forged(recipe, genuine) else { return };
    // The server ignores the query, so a genuine address with a query is still genuine.
    let address = forged.split('?').next().unwrap_or_default();
    if genuine.good.iter().any(|good| good == address) {
        return;
    }
    let answer =
        runtime.block_on(app.get_without_bearer(&format!("{head}{}", in_address(forged.as_bytes()))));
    assert_eq!(answer.status, 404, "{}", answer.text);
    if head == DOWNLOADS {
        is_of_the_contract(&answer);
    }
}

#[test]
fn fuzzed_download_and_status_page_addresses_are_refused() {
    let Site { runtime, app, downloads, status_codes, .. } = site();
    for address in &downloads.good {
        let answer = runtime.block_on(app.get_without_bearer(&format!("{DOWNLOADS}{address}")));
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    for code in &status_codes.good {
        assert!(app.service.status_pages.proposal_of(code).is_some());
    }
    fuzz::target!("addresses", recipes(&[DOWNLOADS, "/health/status/"]), judge_address);
}
