//! Keys of rate sheets: what a row's rates are for, beside age and sum insured.

use domain::money::Rupees;

use crate::family::FamilySize;
use crate::zones::Zone;

/// By what the rates of a sheet differ, beside age and sum insured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeyColumns {
    pub(crate) zone: bool,
    pub(crate) family: bool,
    pub(crate) deductible: bool,
}

/// What a part of a sheet is for. `None` where the sheet does not tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) zone: Option<Zone>,
    pub(crate) family: Option<FamilySize>,
    pub(crate) deductible: Option<Rupees>,
}

impl KeyColumns {
    /// A key without what the sheet does not tell apart.
    pub(crate) fn of(self, key: Key) -> Key {
        Key {
            zone: key.zone.filter(|_| self.zone),
            family: key.family.filter(|_| self.family),
            deductible: key.deductible.filter(|_| self.deductible),
        }
    }

    /// How many columns they are.
    pub(crate) fn count(self) -> usize {
        usize::from(self.zone) + usize::from(self.family) + usize::from(self.deductible)
    }
}
