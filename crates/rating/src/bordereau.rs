//! Columns of the bordereaux, which are files for insurers.

use domain::id::InsurerId;
use domain::statement::{ClaimColumn, PremiumColumn};

/// Column of a bordereau: its header, and the kind of value in the column.
pub type Column<C> = (String, C);

/// Columns of the bordereaux for some insurers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout<C> {
    /// Insurers that get these columns. `None`: all insurers that no other layout names.
    pub(crate) insurers: Option<Vec<InsurerId>>,
    pub(crate) columns: Vec<Column<C>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bordereaux {
    pub(crate) premium: Vec<Layout<PremiumColumn>>,
    pub(crate) claims: Vec<Layout<ClaimColumn>>,
}

impl Bordereaux {
    /// Adds the default layout if the catalogue has no layout for all other insurers. It has every column,
    /// and each header is the column's own name.
    pub(crate) fn completed(mut self) -> Self {
        complete(&mut self.premium, PremiumColumn::ALL, PremiumColumn::word);
        complete(&mut self.claims, ClaimColumn::ALL, ClaimColumn::word);
        self
    }

    /// Columns of an insurer's premium bordereau.
    pub fn premium(&self, insurer: InsurerId) -> &[Column<PremiumColumn>] {
        columns_of(&self.premium, insurer)
    }

    /// Columns of an insurer's claims bordereau.
    pub fn claims(&self, insurer: InsurerId) -> &[Column<ClaimColumn>] {
        columns_of(&self.claims, insurer)
    }
}

fn complete<C: Copy>(layouts: &mut Vec<Layout<C>>, every: &[C], name: impl Fn(C) -> &'static str) {
    if layouts.iter().all(|layout| layout.insurers.is_some()) {
        let columns = every.iter().map(|column| (name(*column).to_owned(), *column)).collect();
        layouts.push(Layout { insurers: None, columns });
    }
}

fn columns_of<C>(layouts: &[Layout<C>], insurer: InsurerId) -> &[Column<C>] {
    let named = |layout: &&Layout<C>| layout.insurers.as_ref().is_some_and(|named| named.contains(&insurer));
    let for_all = || layouts.iter().find(|layout| layout.insurers.is_none());
    layouts.iter().find(named).or_else(for_all).map_or(&[], |layout| &layout.columns)
}
