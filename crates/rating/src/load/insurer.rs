//! Reading `insurer.toml`.

use std::sync::Arc;

use domain::id::kind;

use super::document::Document;
use super::ids::Ids;
use super::read;
use super::shelf::Shelf;
use crate::insurer::Insurer;

/// Reads an insurer's file. `None` when a fault was noted.
pub(crate) fn read(path: &str, shelf: &Shelf<'_>, ids: &Ids) -> Option<Arc<Insurer>> {
    let document = Document::parse(path, shelf.take(path)?, shelf.faults)?;
    let section = document.root(shelf.faults);
    let id = section.required("id", read::id::<kind::Insurer>);
    if let Some(id) = id {
        ids.take(id, &section);
    }
    let name = section.required("name", read::text);
    let logo = section.required("logo", read::address);
    let description = section.required("description", read::text);
    let registration_number = section.required("registration_number", read::text);
    let address = section.required("address", read::text);
    let claims_contact = section.required("claims_contact", read::text);
    let grievance_contact = section.required("grievance_contact", read::text);
    let connector = section.or("connector", "rate-table", |value| read::word(value, &["rate-table", "http"]));
    if connector == "http" {
        section.fault("connector", "`connector` must be \"rate-table\": this version has no \"http\".");
    }
    section.close();
    Some(Arc::new(Insurer {
        id: id?,
        name: name?,
        logo: logo?,
        description: description?,
        registration_number: registration_number?,
        address: address?,
        claims_contact: claims_contact?,
        grievance_contact: grievance_contact?,
    }))
}
