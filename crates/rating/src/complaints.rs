//! Complaints: within how many days they are answered, by a rule of the catalogue (D88).

/// The clock of complaints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComplaintRules {
    /// Days from the day on which a complaint came.
    pub answer_within_days: u16,
    /// Whom a customer turns to next, in a sentence that answers end with. `None` where the catalogue does not say.
    pub next: Option<String>,
}
