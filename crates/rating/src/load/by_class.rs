//! Rule sets by class of cover. A rule set applies to one class, or to both classes of a line of business.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::line::LineOfBusiness;
use domain::text::FromText;

use crate::dated_rates::LateInterest;
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::tax_class::{SoldTo, TaxClass};

/// Highest interest rate for late payment, in percent a year.
pub(super) const HIGHEST_INTEREST: u32 = 50;

/// Interest on late payments of a rule set: that of the whole catalogue, or that of the rule set itself in catalogues
/// of an earlier version. `None` after a reported fault.
pub(super) fn parse_late_interest(
    section: &Section<'_>,
    of_catalogue: Option<&LateInterest>,
) -> Option<LateInterest> {
    const OWN: &str = "late_interest_percent";
    let own = section.optional(OWN, |value| values::percent_or_zero(value, HIGHEST_INTEREST));
    match (of_catalogue, own) {
        (Some(_), Some(_)) => {
            section.report(OWN, "`late_interest` in catalogue.toml is the same rule: remove this key.");
            None
        }
        (Some(rates), None) if !section.has(OWN) => Some(rates.clone()),
        (None, Some(percent)) => Some(LateInterest::always(percent)),
        (None, None) if !section.has(OWN) => {
            section.report(OWN, "`late_interest` is missing in catalogue.toml.");
            None
        }
        _ => None,
    }
}

/// Rules of each class of cover.
#[derive(Debug)]
pub(crate) struct ByClass<R>(BTreeMap<TaxClass, Arc<R>>);

impl<R> Default for ByClass<R> {
    fn default() -> Self {
        ByClass(BTreeMap::new())
    }
}

impl<R> ByClass<R> {
    /// Rules of a class of cover, if any.
    pub(crate) fn of(&self, class: TaxClass) -> Option<Arc<R>> {
        self.0.get(&class).cloned()
    }

    /// Rule sets of all classes. A rule set for two classes appears twice.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<R>> {
        self.0.values()
    }

    /// Parses the sections `rules` of a document. Their line of business must be in `lines`. `parse` reads
    /// the keys other than `line` and `sold_to`.
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
                    sources.faults.report(path, at, format!("Other rules already apply to {class}."));
                }
            }
        }
        ByClass(by_class)
    }
}

/// Parses a file that contains only rule sets. If the file is missing, there are no rules.
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

/// Parses the classes of cover that a rule set applies to.
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
