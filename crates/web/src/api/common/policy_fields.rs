//! Fields that several requests about a policy have.

use domain::person::PersonalLine;

use crate::reader::Fields;
use crate::shape::{WholeNumber, described};

/// Reads the note for the history of the policy. Its absence is no fault.
pub(crate) fn read_note(fields: &mut Fields<'_>) -> Option<Option<PersonalLine>> {
    let description = "Note for the history of the policy: one line of at most 200 characters.";
    fields.optional("note", described::<PersonalLine>(description))
}

/// Shape of the number of a member of the policy, from 1.
pub(crate) const MEMBER: WholeNumber =
    WholeNumber { wanted: "the number of one of the policy's members, from 1" };
