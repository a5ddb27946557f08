//! Complaint rules of the catalogue (D88).

/// Time limit for answers to complaints, and the customer's next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComplaintRules {
    /// Days within which a complaint must be answered, from the day on which it arrived.
    pub answer_within_days: u16,
    /// Sentence at the end of answers that says where the customer can complain next. `None` if the catalogue
    /// has none.
    pub next: Option<String>,
}
