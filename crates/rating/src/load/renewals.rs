//! Parsing `renewals.toml`: from when on and until when policies can be renewed (D91).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::line::LineOfBusiness;
use domain::text::FromText;

use toml::de::DeValue;

use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::renewals::RenewalRules;
use crate::tax_class::{SoldTo, TaxClass};

/// The path of the file.
pub(crate) const FILE: &str = "renewals.toml";

/// The lines of business whose policies are renewed: a loan's cover ends with its loan.
const RENEWED: &[&str] = &[LineOfBusiness::Health.word()];

/// The rules of each class of cover.
#[derive(Debug, Default)]
pub(crate) struct RenewalsFile {
    by_class: BTreeMap<TaxClass, Arc<RenewalRules>>,
}

impl RenewalsFile {
    /// The rules of a class of cover. `None` where the file has none: its policies are not renewed here.
    pub(crate) fn of(&self, class: TaxClass) -> Option<Arc<RenewalRules>> {
        self.by_class.get(&class).cloned()
    }
}

/// Parses the file. A catalogue without it renews nothing.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> RenewalsFile {
    let mut file = RenewalsFile::default();
    let Some(document) =
        sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))
    else {
        return file;
    };
    let root = document.root(sources.faults);
    for section in root.sections("rules") {
        let line = section.line();
        let Some((classes, rules)) = parse_rules(section) else { continue };
        let rules = Arc::new(rules);
        for class in classes {
            if file.by_class.insert(class, rules.clone()).is_some() {
                sources.faults.report(FILE, line, format!("{class} has rules already."));
            }
        }
    }
    root.close();
    file
}

/// Parses one set of rules with the classes of cover that it is for.
fn parse_rules(section: Section<'_>) -> Option<(Vec<TaxClass>, RenewalRules)> {
    let line = section.required("line", |value| values::word(value, RENEWED));
    let sold_to = section.optional("sold_to", |value| values::word(value, SoldTo::WORDS));
    let sold_to_is_valid = sold_to.is_some() || !section.has("sold_to");
    let days = |value: &DeValue<'_>| values::whole(value, 1, 90).map(|days| days as u16);
    let notice_days = section.distinct("notice_days", days);
    if !section.has("notice_days") {
        section.report("notice_days", "`notice_days` is missing: such as [45, 30, 15, 1].");
    }
    let falls = notice_days.as_ref().is_none_or(|days| days.is_sorted_by(|day, next| day > next));
    if !falls {
        section.report("notice_days", "`notice_days` must fall: the first is the earliest notice.");
    }
    let grace_days = section.required("grace_days", |value| values::whole(value, 0, 90));
    let source = section.required("source", values::text);
    section.close();
    let line = LineOfBusiness::from_text(line?).ok()?;
    let classes = match sold_to {
        Some(word) => vec![TaxClass::new(line, SoldTo::from_text(word).ok()?)],
        None => SoldTo::ALL.iter().map(|sold_to| TaxClass::new(line, *sold_to)).collect(),
    };
    let rules = RenewalRules { notice_days: notice_days?, grace_days: grace_days? as u16, source: source? };
    Some((classes, rules)).filter(|_| sold_to_is_valid && falls)
}
