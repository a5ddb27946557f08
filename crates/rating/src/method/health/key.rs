//! Keys of rate sheets: the zone, family or deductible that a row is for.

use domain::money::Rupees;

use crate::family::FamilySize;
use crate::zones::Zone;

/// The key columns that a sheet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeyColumns {
    pub(crate) zone: bool,
    pub(crate) family: bool,
    pub(crate) deductible: bool,
}

/// The key of a part of a sheet. `None` where the sheet has no such column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) zone: Option<Zone>,
    pub(crate) family: Option<FamilySize>,
    pub(crate) deductible: Option<Rupees>,
}

impl KeyColumns {
    /// A key without the parts that the sheet has no column for.
    pub(crate) fn of(self, key: Key) -> Key {
        Key {
            zone: key.zone.filter(|_| self.zone),
            family: key.family.filter(|_| self.family),
            deductible: key.deductible.filter(|_| self.deductible),
        }
    }

    /// The number of key columns.
    pub(crate) fn count(self) -> usize {
        usize::from(self.zone) + usize::from(self.family) + usize::from(self.deductible)
    }
}
