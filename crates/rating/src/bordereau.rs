//! Bordereaux: which columns an insurer's files have, and under which names.

use domain::id::InsurerId;
use domain::statement::{ClaimColumn, PremiumColumn};

/// A column: the name that it has in the file, and what is in it.
pub type Column<C> = (String, C);

/// The columns of the files of some insurers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout<C> {
    /// Whose files; `None`: of all that no other layout names.
    pub(crate) insurers: Option<Vec<InsurerId>>,
    pub(crate) columns: Vec<Column<C>>,
}

/// The columns of every insurer's files. An insurer without a layout gets every column under its own name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bordereaux {
    pub(crate) premium: Vec<Layout<PremiumColumn>>,
    pub(crate) claims: Vec<Layout<ClaimColumn>>,
}

impl Bordereaux {
    /// The columns of an insurer's premium bordereau.
    pub fn premium(&self, insurer: InsurerId) -> Vec<Column<PremiumColumn>> {
        let every = || PremiumColumn::ALL.iter().map(|column| (column.word().to_owned(), *column)).collect();
        columns_of(&self.premium, insurer).unwrap_or_else(every)
    }

    /// The columns of an insurer's claims bordereau.
    pub fn claims(&self, insurer: InsurerId) -> Vec<Column<ClaimColumn>> {
        let every = || ClaimColumn::ALL.iter().map(|column| (column.word().to_owned(), *column)).collect();
        columns_of(&self.claims, insurer).unwrap_or_else(every)
    }
}

fn columns_of<C: Clone>(layouts: &[Layout<C>], insurer: InsurerId) -> Option<Vec<Column<C>>> {
    let named = |layout: &&Layout<C>| layout.insurers.as_ref().is_some_and(|named| named.contains(&insurer));
    let for_all = || layouts.iter().find(|layout| layout.insurers.is_none());
    layouts.iter().find(named).or_else(for_all).map(|layout| layout.columns.clone())
}
