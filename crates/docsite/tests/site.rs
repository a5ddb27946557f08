//! Tests the whole site as a browser gets it: links, placeholders, examples, search, policy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use docsite::{AnswerKind, ErrorCode, Facts, PAGE_POLICY, REFERENCE_POLICY, ROOT, Site, unmatched};
use proptest::prelude::*;

const CODES: &[ErrorCode] = &[
    ErrorCode { code: "V4000", status: 400, title: "Validation Error" },
    ErrorCode { code: "S4000", status: 400, title: "Invalid State" },
    ErrorCode { code: "A4001", status: 401, title: "Invalid Authentication Credentials" },
    ErrorCode { code: "A4030", status: 403, title: "Insufficient Permission" },
    ErrorCode { code: "R4040", status: 404, title: "Resource Not Found" },
    ErrorCode { code: "R4050", status: 405, title: "Method Not Allowed" },
    ErrorCode { code: "S4090", status: 409, title: "Conflict" },
    ErrorCode { code: "R4100", status: 410, title: "Link Expired" },
    ErrorCode { code: "V4130", status: 413, title: "Payload Too Large" },
    ErrorCode { code: "V4150", status: 415, title: "Unsupported Media Type" },
    ErrorCode { code: "V4220", status: 422, title: "Idempotency Key Reused" },
    ErrorCode { code: "A4290", status: 429, title: "Rate Limit Exceeded" },
    ErrorCode { code: "E5000", status: 500, title: "An unexpected error occurred" },
    ErrorCode { code: "E5030", status: 503, title: "Service Unavailable" },
];

fn site(base: &str) -> Site {
    Site::new(Facts {
        base_url: base.to_owned(),
        journey_url: Some("https://journey.example".to_owned()),
        version: "0.0.0",
        codes: CODES,
        changelog: include_str!("../../../CHANGELOG.md"),
    })
}

static SITE: LazyLock<Site> = LazyLock::new(|| site("https://api.example"));

fn html(path: &str, query: Option<&str>) -> String {
    String::from_utf8(SITE.answer(path, query).body.into()).expect("UTF-8")
}

/// All pages with their paths.
fn pages() -> impl Iterator<Item = (String, String)> {
    SITE.paths().map(|path| (path.clone(), html(&path, None)))
}

fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {attribute}=\"");
    let parts: Vec<&str> = html.split(start.as_str()).skip(1).collect();
    parts.into_iter().filter_map(|rest| rest.split('"').next())
}

/// Paths of the server that the site itself does not serve.
const ELSEWHERE: &[&str] = &["/openapi.json", "/deprecations"];

#[test]
fn every_link_of_the_site_leads_to_an_existing_page_and_anchor() {
    let pages: BTreeMap<String, String> =
        pages().map(|(path, html)| (format!("{ROOT}{path}"), html)).collect();
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(address, html)| (address.as_str(), values(html, "id").collect())).collect();
    let mut count = 0;
    for (address, html) in &pages {
        for target in values(html, "href").chain(values(html, "src")).chain(values(html, "action")) {
            if target.starts_with("https://") || ELSEWHERE.contains(&target) {
                continue;
            }
            count += 1;
            let (page, anchor) = target.split_once('#').unwrap_or((target, ""));
            let page = if page.is_empty() { address } else { page };
            if page.starts_with("/docs/assets/") {
                let answer = SITE.answer(page.trim_start_matches(ROOT), None);
                assert_eq!((answer.status, answer.kind), (200, AnswerKind::Asset), "{address}: {target}");
                continue;
            }
            let known = ids.get(page).unwrap_or_else(|| panic!("{address} has a link to {target}"));
            assert!(anchor.is_empty() || known.contains(anchor), "{address}: no place {target}");
        }
    }
    assert!(count > 1000, "links were found: {count}");
}

#[test]
fn every_html_id_occurs_only_once_on_its_page() {
    for (path, html) in pages() {
        let mut seen = BTreeSet::new();
        for id in values(&html, "id") {
            assert!(seen.insert(id), "{path} has {id} twice");
        }
    }
}

#[test]
fn every_error_code_has_a_page_and_every_error_page_has_a_code() {
    let found = unmatched(CODES);
    assert_eq!((found.codes, found.pages), (vec![], vec![]));
    let found = unmatched(&[ErrorCode { code: "X1", status: 400, title: "New" }]);
    assert_eq!(found.codes, ["X1"]);
    assert_eq!(found.pages.len(), CODES.len());
    let all = html("/errors", None);
    for ErrorCode { code, status, title } in CODES {
        let page = html(&format!("/errors/{code}"), None);
        assert!(page.contains(&format!("<h1>{code}: {title}</h1>")), "{code}");
        assert!(page.contains(&format!("<td>{status}</td>")), "{code}");
        assert!(page.contains(&format!("&quot;type&quot;: &quot;{code}&quot;")), "{code}");
        assert!(page.contains(&format!("&quot;title&quot;: &quot;{title}&quot;")), "{code}");
        assert!(all.contains(&format!("href=\"/docs/errors/{code}\"")), "{code}");
    }
}

#[test]
fn an_error_code_without_a_page_is_shown_with_its_http_status() {
    let codes: &[ErrorCode] = &[ErrorCode { code: "X1", status: 418, title: "New" }];
    let facts = Facts { base_url: String::new(), journey_url: None, version: "0", codes, changelog: "" };
    let site = Site::new(facts);
    let page = site.answer("/errors/X1", None);
    assert_eq!(page.status, 200);
    assert!(String::from_utf8_lossy(&page.body).contains("418"));
}

#[test]
fn every_page_has_its_own_title_one_main_heading_and_a_description() {
    let mut titles = BTreeSet::new();
    for (path, html) in pages() {
        assert_eq!(html.matches("<h1").count(), 1, "{path}");
        assert_eq!(html.matches("<main ").count(), 1, "{path}");
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{path}");
        let title = html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
        assert!(titles.insert(title.expect("a title").to_owned()), "{path} has the title of another page");
        let description = html.split("<meta name=\"description\" content=\"").nth(1);
        let description = description.and_then(|rest| rest.split('"').next()).unwrap_or_default();
        assert!(!description.is_empty() || path == "/search", "{path} has no description");
        assert!(html.contains("<a class=\"skip\" href=\"#content\">"), "{path}");
    }
}

#[test]
fn the_menu_marks_the_current_page() {
    for (path, html) in pages() {
        let address = format!("{ROOT}{path}");
        let marked = format!("href=\"{address}\" aria-current=\"page\"");
        let is_in_menu = html.contains(&format!("<li><a href=\"{address}\""));
        assert_eq!(html.contains(&marked), is_in_menu, "{path}");
    }
    assert!(html("/errors/A4001", None).contains("href=\"/docs/errors\" aria-current=\"true\""));
}

#[test]
fn the_errors_page_lists_every_code_with_status_title_and_retry_rule() {
    let page = markdown("errors");
    let mut rows = page.lines().filter(|line| line.starts_with("| ["));
    for ErrorCode { code, status, title } in CODES {
        let own = markdown(&format!("errors/{code}"));
        let retry = own.lines().find_map(|line| line.strip_prefix("retry: ")).expect("a retry rule");
        let row = format!("| [{code}](errors/{code}.md) | {status} | {title} | {retry} |");
        assert_eq!(rows.next(), Some(row.as_str()));
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn no_page_contains_an_unfilled_placeholder_or_a_local_file_path() {
    let words = ["{base_url}", "{journey_url}", "/home/", "/root/", "/tmp/", "/var/", "C:\\"];
    for (path, html) in pages() {
        for word in words {
            assert!(!html.contains(word), "{path} has {word}");
        }
    }
    assert!(html("/getting-started", None).contains("export BASE=https://api.example"));
    assert!(html("/journey", None).contains("https://journey.example/health"));
}

#[test]
fn the_service_address_is_escaped_on_every_page() {
    let site = site("https://x.example/\"><script>alert(1)</script>");
    for path in site.paths() {
        let html = String::from_utf8(site.answer(&path, None).body.into()).expect("UTF-8");
        assert!(!html.contains("<script>alert"), "{path}");
        assert!(!html.contains("example/\">"), "{path}");
    }
}

#[test]
fn pages_have_no_inline_script_or_style_and_load_scripts_only_where_needed() {
    for (path, html) in pages() {
        let tags: Vec<&str> = html.split('<').skip(1).filter_map(|rest| rest.split('>').next()).collect();
        for tag in &tags {
            assert!(!tag.contains(" style=") && !tag.starts_with("style"), "{path}: <{tag}>");
            let handler =
                tag.split_whitespace().skip(1).any(|part| part.starts_with("on") && part.contains('='));
            assert!(!handler, "{path}: <{tag}>");
        }
        let scripts: Vec<&&str> = tags.iter().filter(|tag| tag.starts_with("script")).collect();
        let has_work = path == "/reference" || html.contains("<pre>");
        assert_eq!(!scripts.is_empty(), has_work, "{path}");
        assert!(scripts.iter().all(|tag| tag.contains(" src=\"/docs/assets/")), "{path}");
    }
}

#[test]
fn the_reference_has_its_own_content_security_policy_and_a_noscript_link() {
    let answer = SITE.answer("/reference", None);
    assert_eq!(
        (answer.status, answer.kind, answer.kind.policy()),
        (200, AnswerKind::Reference, REFERENCE_POLICY)
    );
    let html = String::from_utf8_lossy(&answer.body);
    let without = html.split("<noscript>").nth(1).and_then(|rest| rest.split("</noscript>").next());
    assert!(without.expect("a noscript").contains("href=\"/openapi.json\""));
    assert!(!REFERENCE_POLICY.contains("unsafe") && !PAGE_POLICY.contains("unsafe"));
    let script = SITE.answer("/assets/redoc.js", None);
    assert_eq!((script.encoding, script.kind), (Some("gzip"), AnswerKind::Asset));
    assert_eq!(&script.body[..2], [0x1f, 0x8b], "gzip");
}

/// Collects all files of a folder with this ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

#[test]
fn every_json_example_parses_and_every_code_block_has_a_language() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pages"), "md", &mut paths);
    let mut examples = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(text.matches("```").count().is_multiple_of(2), "{}: a block is open", path.display());
        for block in text.split("```").skip(1).step_by(2) {
            let (info, code) = block.split_once('\n').expect("a line");
            // The rest of the line is for `scripts/test_docs`.
            let language = info.split_once(' ').map_or(info, |(language, _)| language);
            assert!(
                ["sh", "json", "text", "python", "html", "js", "java", "rust"].contains(&language),
                "{}: {language}",
                path.display()
            );
            if language == "json" {
                examples += 1;
                let parsed = serde_json::from_str::<serde_json::Value>(code);
                assert!(parsed.is_ok(), "{}: {}: {code}", path.display(), parsed.unwrap_err());
            }
        }
    }
    assert!(examples > 20, "examples were found: {examples}");
}

/// Shell blocks of a page.
fn commands(name: &str) -> Vec<String> {
    let text = markdown(name);
    // The rest of the first line is for `scripts/test_docs`.
    let blocks = text.split("```sh").skip(1).filter_map(|rest| rest.split_once('\n')?.1.split("```").next());
    blocks.map(str::to_owned).collect()
}

/// Variables that commands use, and variables that they set. Used: after `$`. Set: before `=` at the start of
/// a line, or after `export`.
fn used_and_set(commands: &[String]) -> (BTreeSet<String>, BTreeSet<String>) {
    let name = |text: &str| -> String {
        text.chars().take_while(|letter| letter.is_ascii_uppercase() || *letter == '_').collect()
    };
    let (mut used, mut set) = (BTreeSet::new(), BTreeSet::new());
    for block in commands {
        used.extend(block.split('$').skip(1).map(name).filter(|name| !name.is_empty()));
        let lines = block.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
        for word in lines.flat_map(|line| line.split(' ')) {
            let name = name(word);
            if !name.is_empty() && word[name.len()..].starts_with('=') {
                set.insert(name);
            }
        }
    }
    (used, set)
}

/// Pages whose commands a page continues.
fn continued(name: &str) -> Vec<String> {
    let text = markdown(name);
    let links = text.split("The commands continue").skip(1).filter_map(|rest| rest.split_once("]("));
    links.filter_map(|(_, link)| Some(link.split_once(".md")?.0.to_owned())).collect()
}

#[test]
fn every_shell_variable_is_set_on_its_page_or_on_a_page_that_it_continues() {
    let (used, first) = used_and_set(&commands("getting-started"));
    assert!(used.is_subset(&first), "{:?}", used.difference(&first));
    assert!(first.contains("BASE") && first.contains("PROPOSAL"));
    let mut count = 0;
    for (path, _) in
        pages().filter(|(path, _)| !["", "/reference", "/search", "/changelog"].contains(&path.as_str()))
    {
        let name = path.trim_start_matches('/');
        let (used, mut set) = used_and_set(&commands(name));
        for page in continued(name) {
            set.extend(used_and_set(&commands(&page)).1);
        }
        count += used.len();
        for variable in used {
            assert!(set.contains(&variable) || first.contains(&variable), "{name}: {variable} is never set");
        }
    }
    assert!(count > 30, "variables were found: {count}");
}

/// Bodies of `curl -d '…'`, with placeholders for shell variables.
fn bodies(block: &str) -> Vec<String> {
    let mut bodies = Vec::new();
    for rest in block.split("-d '").skip(1) {
        let (mut body, mut rest) = (String::new(), rest);
        while let Some((text, after)) = rest.split_once('\'') {
            body.push_str(text);
            // A variable inside quotation marks is an object. Any other variable is part of a text.
            let is_object = after.starts_with("\"$");
            let is_joined = is_object || after.starts_with('$');
            match after.split_once('\'') {
                Some((_, next)) if is_joined => {
                    body.push_str(if is_object { "{}" } else { "x" });
                    rest = next;
                }
                _ => break,
            }
        }
        bodies.push(body);
    }
    bodies
}

#[test]
fn every_request_body_in_a_command_is_valid_json() {
    let mut count = 0;
    for (path, _) in
        pages().filter(|(path, _)| !["/reference", "/search", "/changelog"].contains(&path.as_str()))
    {
        let name = if path.is_empty() { "index" } else { path.trim_start_matches('/') };
        for body in commands(name).iter().flat_map(|block| bodies(block)) {
            count += 1;
            let parsed = serde_json::from_str::<serde_json::Value>(&body);
            assert!(parsed.is_ok(), "{name}: {}: {body}", parsed.unwrap_err());
        }
    }
    assert!(count > 25, "bodies were found: {count}");
}

/// Markdown of a page.
fn markdown(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages").join(name).with_extension("md");
    std::fs::read_to_string(path).expect("text")
}

fn first_hit(words: &str) -> String {
    let page = html("/search", Some(&format!("q={words}")));
    let hits = page.split("<ol class=\"hits\">").nth(1).unwrap_or_default();
    values(hits, "href").next().unwrap_or_default().to_owned()
}

#[test]
fn common_queries_of_developers_find_the_right_page_first() {
    for (words, address) in [
        ("A4030", "/docs/errors/A4030"),
        ("webhooks", "/docs/webhooks"),
        ("check+signature", "/docs/webhooks#check-the-signature"),
        ("free+look", "/docs/policies#cancel-a-policy"),
        ("IDEMPOTENCY", "/docs/idempotency"),
        ("tenure_map", "/docs/recommendations#read-the-result"),
        ("claims", "/docs/claims"),
    ] {
        assert_eq!(first_hit(words), address, "{words}");
    }
}

#[test]
fn terms_of_other_apis_find_the_right_page_first() {
    for (words, address) in [
        ("CORS", "/docs/tokens#browsers-and-cors"),
        ("Access-Control-Allow-Origin", "/docs/tokens#browsers-and-cors"),
        ("pagination", "/docs/limits#lists"),
        ("callback", "/docs/webhooks"),
        ("idempotent", "/docs/idempotency"),
        ("rate+limit", "/docs/errors/A4290"),
        ("deprecation", "/docs/versioning"),
        ("breaking+change", "/docs/versioning"),
        ("SDK", "/docs/clients"),
        ("postman", "/docs/clients#postman-and-bruno"),
        ("sandbox", "/docs/test-values"),
    ] {
        assert_eq!(first_hit(words), address, "{words}");
    }
}

#[test]
fn the_search_page_reports_a_word_that_no_page_has() {
    let page = html("/search", Some("q=idempotancy"));
    assert!(page.contains("No page matches <strong>idempotancy</strong>"), "{page}");
}

#[test]
fn a_search_without_words_or_results_is_answered_with_a_hint() {
    assert!(html("/search", None).contains("Write one or more words"));
    assert!(html("/search", Some("q=")).contains("Write one or more words"));
    assert!(html("/search", Some("q=%00%FF%22%3E%3Cscript%3E")).contains("script"));
    assert!(html("/search", Some("q=zebra-xylophone")).contains("No page matches"));
    let long = format!("q={}", "a".repeat(100_000));
    assert!(html("/search", Some(&long)).len() < 100_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_search_query_can_add_an_html_tag_to_the_page(query in any::<String>()) {
        let page = html("/search", Some(&query));
        prop_assert!(!page.contains("<script"));
        let encoded: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let page = html("/search", Some(&format!("q={encoded}")));
        prop_assert!(!page.contains("<script") && page.matches("<form").count() == 1);
    }

    #[test]
    fn any_path_is_answered_with_status_200_or_404(path in any::<String>()) {
        let answer = SITE.answer(&path, None);
        prop_assert!([200, 404].contains(&answer.status));
    }
}

#[test]
fn an_unknown_path_is_answered_with_a_search_form() {
    for path in ["/no-such-page", "/errors/X9999", "/index", "/assets/../site.rs", "/errors/"] {
        let answer = SITE.answer(path, None);
        let expected = if path == "/errors/" { 200 } else { 404 };
        assert_eq!(answer.status, expected, "{path}");
        assert!(String::from_utf8_lossy(&answer.body).contains("action=\"/docs/search\""), "{path}");
    }
}

#[test]
fn a_page_is_rendered_only_once_and_its_etag_changes_with_its_content() {
    let (first, second) = (SITE.answer("/tokens", None), SITE.answer("/tokens", None));
    assert_eq!(first.body.as_ptr(), second.body.as_ptr(), "a page is kept");
    assert_eq!(first.etag, second.etag);
    assert!(first.etag.starts_with('"') && first.etag.ends_with('"'));
    assert_ne!(first.etag, SITE.answer("/quotes", None).etag);
    assert_ne!(first.etag, site("https://other.example").answer("/tokens", None).etag);
}

#[test]
fn the_changelog_page_has_no_section_for_operators() {
    let page = html("/changelog", None);
    assert!(page.contains("For partners") && !page.contains("For operators"));
}
