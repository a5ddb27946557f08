//! Insurers: who carries the risk, as quotes and certificates name them.

use domain::id::InsurerId;

/// An insurer of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insurer {
    /// Its id.
    pub id: InsurerId,
    /// Its name.
    pub name: String,
    /// Address of its logo.
    pub logo: String,
    /// What a customer should know about it, in a sentence or two.
    pub description: String,
    /// Its number in the regulator's register.
    pub registration_number: String,
    /// Its postal address, in one line.
    pub address: String,
    /// How a claim is made known to it.
    pub claims_contact: String,
    /// Who hears a complaint.
    pub grievance_contact: String,
}
