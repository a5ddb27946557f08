//! Keys of the rows in a rate sheet: zone, family size, deductible.

use domain::money::Rupees;

use crate::family::FamilySize;
use crate::zones::Zone;

/// Which key columns a rate sheet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeyColumns {
    pub(crate) zone: bool,
    pub(crate) family: bool,
    pub(crate) deductible: bool,
}

/// Key of the rows in a rate sheet that share zone, family size and deductible. A field is `None` if the
/// sheet has no such column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) zone: Option<Zone>,
    pub(crate) family: Option<FamilySize>,
    pub(crate) deductible: Option<Rupees>,
}

impl KeyColumns {
    /// Removes the fields of a key for which the sheet has no column.
    pub(crate) fn of(self, key: Key) -> Key {
        Key {
            zone: key.zone.filter(|_| self.zone),
            family: key.family.filter(|_| self.family),
            deductible: key.deductible.filter(|_| self.deductible),
        }
    }

    pub(crate) fn count(self) -> usize {
        usize::from(self.zone) + usize::from(self.family) + usize::from(self.deductible)
    }
}
