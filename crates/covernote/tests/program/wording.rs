//! What people read: phrases that are always wrong (CONTRIBUTING.md, "How we write").

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Expr, ExprLit, ExprMethodCall, Field, ItemEnum, ItemFn, ItemMod, ItemStruct, Lit, LitStr,
    Macro, Variant, visit, visit::Visit,
};

/// Wrong phrases, each with what to write instead.
const WRONG: &[(&str, &str)] = &[
    ("is wanted", "Must be …, or Required: …"),
    ("are wanted", "Must be …, or Required: …"),
    ("was found;", "Must be …, without what came"),
    ("were found.", "Must be …, without what came"),
    ("none of the allowed", "Must be A or B"),
    ("as wanted", "invalid"),
    ("whoever", "anybody who, or the one who"),
    ("please look at", "There is a problem"),
    ("once more", "again, or Check …"),
    ("left open", "Leave blank"),
];

/// Macros whose doc comments are help.
const HELP_MACROS: &[&str] = &["answer", "input", "settings"];

/// Tags within a sentence of a page.
const INLINE: &[&str] = &["a", "b", "code", "em", "span", "strong"];

/// The strings of a Rust file that people may read: without tests, and with the doc comments that are help.
#[derive(Default)]
struct Strings {
    found: BTreeSet<String>,
    /// Whether the doc comments of this type are help.
    is_help: bool,
}

impl Strings {
    fn of(file: &Path) -> BTreeSet<String> {
        let text = fs::read_to_string(file).expect("text");
        if file.extension().is_some_and(|end| end == "html") {
            return texts_of_page(&text);
        }
        let mut strings = Strings::default();
        strings.visit_file(&syn::parse_file(&text).expect("Rust"));
        strings.found
    }

    /// The strings of a macro's tokens. The texts of `expect` do not count.
    fn take(&mut self, tokens: TokenStream) {
        let mut before = String::new();
        let mut doc = Vec::new();
        for tree in tokens {
            match &tree {
                TokenTree::Group(group) => match doc_line(group.stream()) {
                    Some(line) => doc.push(line),
                    None if before != "expect" => self.take(group.stream()),
                    None => {}
                },
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.found.insert(text.value());
                    }
                }
                TokenTree::Ident(_) => self.take_help(&std::mem::take(&mut doc)),
                TokenTree::Punct(_) => {}
            }
            before = tree.to_string();
        }
    }

    /// The help of an item: its doc comment as one text.
    fn take_help(&mut self, lines: &[String]) {
        if self.is_help && !lines.is_empty() {
            self.found.insert(lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "));
        }
    }

    fn take_help_of(&mut self, attributes: &[Attribute]) {
        let doc_line = |attribute: &Attribute| match &attribute.meta.require_name_value().ok()?.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if attribute.path().is_ident("doc") => {
                Some(text.value())
            }
            _ => None,
        };
        self.take_help(&attributes.iter().filter_map(doc_line).collect::<Vec<_>>());
    }
}

/// The text of `doc = "text"`.
fn doc_line(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter();
    let is_doc = tokens.next()?.to_string() == "doc" && tokens.next()?.to_string() == "=";
    let text = tokens.next().filter(|_| is_doc)?.to_string();
    syn::parse_str::<LitStr>(&text).ok().map(|text| text.value())
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Whether clap makes help of a type's doc comments.
fn is_of_clap(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let derived = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        ["Args", "Parser", "Subcommand", "ValueEnum"].iter().any(|name| derived.contains(name))
    })
}

impl<'ast> Visit<'ast> for Strings {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.is_help = is_of_clap(&item.attrs);
        self.take_help_of(&item.attrs);
        visit::visit_item_struct(self, item);
        self.is_help = false;
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.is_help = is_of_clap(&item.attrs);
        self.take_help_of(&item.attrs);
        visit::visit_item_enum(self, item);
        self.is_help = false;
    }

    fn visit_field(&mut self, field: &'ast Field) {
        self.take_help_of(&field.attrs);
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.take_help_of(&variant.attrs);
        visit::visit_variant(self, variant);
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.found.insert(text.value());
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        match call.method == "expect" {
            true => self.visit_expr(&call.receiver),
            false => visit::visit_expr_method_call(self, call),
        }
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let name = called.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !name.contains("assert") && name != "matches" {
            self.is_help = HELP_MACROS.contains(&name.as_str());
            self.take(called.tokens.clone());
            self.is_help = false;
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // Errors of thiserror, and arguments of clap.
        let is_read = ["error", "arg", "command"].iter().any(|name| attribute.path().is_ident(name));
        if is_read {
            match &attribute.meta {
                syn::Meta::List(list) => self.take(list.tokens.clone()),
                _ => visit::visit_attribute(self, attribute),
            }
        }
    }
}

/// The sentences of a page's template. `{}` stands for a value.
fn texts_of_page(template: &str) -> BTreeSet<String> {
    let mut plain = template.to_owned();
    for (start, end, instead) in [("{#", "#}", ""), ("{%", "%}", ""), ("{{", "}}", "{}")] {
        let mut parts = plain.split(start);
        let first = parts.next().unwrap_or_default().to_owned();
        plain = parts.fold(first, |text, part| {
            text + instead + part.split_once(end).expect("an end of the expression").1
        });
    }
    let mut parts = plain.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        let (tag, rest) = part.split_once('>').expect("an end of the tag");
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
        text + if INLINE.contains(&name) { "" } else { "\0" } + rest
    });
    text.split('\0').map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "html") {
            found.push(path);
        }
    }
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file whose texts people may read.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut names: Vec<PathBuf> =
        fs::read_dir(crates()).expect("crates").flatten().map(|entry| entry.path()).collect();
    names.sort();
    for name in names {
        for folder in ["src", "templates"].map(|folder| name.join(folder)) {
            if folder.is_dir() {
                sources(&folder, &mut files);
            }
        }
    }
    assert!(files.len() > 300, "{}", files.len());
    files
}

/// Every file, with the strings that people may read.
fn everything() -> Vec<(String, BTreeSet<String>)> {
    let place = |file: &Path| file.strip_prefix(crates()).expect("below").display().to_string();
    files().iter().map(|file| (place(file), Strings::of(file))).collect()
}

/// The wrong phrases in a text.
fn faults(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let wrong = WRONG.iter().filter(|(phrase, _)| lower.contains(phrase));
    wrong.map(|(phrase, instead)| format!("{phrase:?}: write {instead}: {text}")).collect()
}

#[test]
fn no_message_page_or_help_text_has_a_forbidden_phrase() {
    let found: Vec<String> = everything()
        .iter()
        .flat_map(|(place, strings)| {
            strings.iter().flat_map(|string| faults(string)).map(move |fault| format!("{place}: {fault}"))
        })
        .collect();
    assert_eq!(found, Vec::<String>::new(), "\n{}", found.join("\n"));
}

#[test]
fn the_wording_check_reads_the_help_texts_in_macros() {
    for name in HELP_MACROS {
        let called = format!("\n{name}! {{\n    /// ");
        let callers: Vec<PathBuf> = files()
            .into_iter()
            .filter(|file| fs::read_to_string(file).expect("text").contains(&called))
            .collect();
        assert!(!callers.is_empty(), "no file calls {name}!");
        for file in callers {
            let text = fs::read_to_string(&file).expect("text");
            let after = text.split_once(&called).expect("a call").1;
            let line = after.lines().next().unwrap_or_default();
            let strings = Strings::of(&file);
            assert!(strings.iter().any(|string| string.starts_with(line)), "{}: {line}", file.display());
        }
    }
}

#[test]
fn the_wording_check_detects_forbidden_phrases_in_earlier_texts() {
    for before in [
        "Nothing was found; one of MALE, FEMALE is wanted.",
        "Text that is none of the allowed words was found; one of MALE, FEMALE is wanted.",
        "A proposal that stands in an item before was found; each has one item.",
        "One field is not as wanted.",
        "text that is no such month was found; a month written YYYY-MM is wanted",
        "Please look at these again",
        "Look at everything once more",
        "Left open, each plan is shown with its smallest.",
        "makes it due again, so that whoever works on it has lost it",
    ] {
        assert_ne!(faults(before), Vec::<String>::new(), "{before}");
    }
    for now in
        ["Required: MALE or FEMALE.", "Must be MALE or FEMALE.", "Check your answers", "There is a problem"]
    {
        assert_eq!(faults(now), Vec::<String>::new(), "{now}");
    }
}
