//! Names of those who act, for people.

use domain::id::{InsurerId, OperatorId, PartnerId};

use crate::act::record::partner_name;
use crate::act::{On, Result};

/// The names of the team and of the partners.
pub(crate) struct Names<'o> {
    on: &'o On,
    team: Vec<(OperatorId, String)>,
}

impl On {
    pub(crate) async fn names(&self) -> Result<Names<'_>> {
        let team = self.service.team.list().await?;
        Ok(Names { on: self, team: team.into_iter().map(|one| (one.id, one.name)).collect() })
    }
}

impl Names<'_> {
    /// Name of an actor of the audit trail, of a requester or of an approver. The same text if it has no name.
    pub(crate) fn of(&self, actor: &str) -> String {
        let partner = |id: &str| Some(partner_name(self.on, id.parse::<PartnerId>().ok()?));
        if let Ok(id) = actor.parse::<OperatorId>() {
            let known = self.team.iter().find(|(operator, _)| *operator == id);
            return known.map_or_else(|| actor.to_owned(), |(_, name)| name.clone());
        }
        if let Some(customer) = actor.strip_prefix("customer:").and_then(partner) {
            return format!("customer of {customer}");
        }
        if let Some(user) = actor.strip_prefix("uid:") {
            return format!("user {user} of the server's machine");
        }
        if let Ok(id) = actor.parse::<InsurerId>() {
            let catalogue = self.on.service.shared.catalogues.running();
            let known = catalogue.insurers().find(|insurer| insurer.id == id);
            return known.map_or_else(|| actor.to_owned(), |insurer| insurer.name.clone());
        }
        partner(actor).unwrap_or_else(|| actor.to_owned())
    }
}
