//! Files with sets of rules, each for one class of cover or for both of its line.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::line::LineOfBusiness;
use domain::text::FromText;

use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::tax_class::{SoldTo, TaxClass};

/// The highest rate of interest on a late payment, in percent for a year.
pub(super) const HIGHEST_INTEREST: u32 = 50;

/// The rules of each class of cover.
#[derive(Debug)]
pub(crate) struct ByClass<R>(BTreeMap<TaxClass, Arc<R>>);

impl<R> Default for ByClass<R> {
    fn default() -> Self {
        ByClass(BTreeMap::new())
    }
}

impl<R> ByClass<R> {
    /// The rules of a class of cover. `None` where the file has none.
    pub(crate) fn of(&self, class: TaxClass) -> Option<Arc<R>> {
        self.0.get(&class).cloned()
    }

    /// The rules of every class that has some.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<R>> {
        self.0.values()
    }

    /// Parses the sections `rules` of a document. `parse` reads what a set has beside its class of cover, which is of one of these
    /// lines.
    pub(super) fn parse(
        path: &str,
        root: &Section<'_>,
        sources: &SourceFiles<'_>,
        lines: &'static [&'static str],
        mut parse: impl FnMut(&Section<'_>) -> Option<R>,
    ) -> Self {
        let mut by_class = BTreeMap::new();
        for section in root.sections("rules") {
            let at = section.line();
            let classes = parse_classes(&section, lines);
            let rules = parse(&section).map(Arc::new);
            section.close();
            let (Some(classes), Some(rules)) = (classes, rules) else { continue };
            for class in classes {
                if by_class.insert(class, rules.clone()).is_some() {
                    sources.faults.report(path, at, format!("{class} has rules already."));
                }
            }
        }
        ByClass(by_class)
    }
}

/// Parses a file that has nothing but sets of rules. A catalogue without the file has none.
pub(super) fn parse_file<R>(
    path: &str,
    sources: &SourceFiles<'_>,
    lines: &'static [&'static str],
    parse: impl FnMut(&Section<'_>) -> Option<R>,
) -> ByClass<R> {
    let document = sources.read(path).and_then(|content| Document::parse(path, content, sources.faults));
    let Some(document) = document else { return ByClass::default() };
    let root = document.root(sources.faults);
    let rules = ByClass::parse(path, &root, sources, lines, parse);
    root.close();
    rules
}

/// Parses the classes of cover that a set of rules is for.
fn parse_classes(section: &Section<'_>, lines: &'static [&'static str]) -> Option<Vec<TaxClass>> {
    let line = section.required("line", |value| values::word(value, lines));
    let sold_to = section.optional("sold_to", |value| values::word(value, SoldTo::WORDS));
    let line = LineOfBusiness::from_text(line?).ok()?;
    match sold_to {
        Some(word) => Some(vec![TaxClass::new(line, SoldTo::from_text(word).ok()?)]),
        None if section.has("sold_to") => None,
        None => Some(SoldTo::ALL.iter().map(|sold_to| TaxClass::new(line, *sold_to)).collect()),
    }
}
