//! Health policies for partners that may use the deprecated read operations (interface §12, §13; D9, D31 to
//! D35, D54).

use domain::line::LineOfBusiness;
use domain::policy::Policy;
use std::sync::Arc;

use domain::id::{PartnerId, PolicyId};
use rating::Catalogue;

use crate::error::{Error, Result};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::shared::Shared;
use crate::storage::lists::{ListPosition, Page};

/// Health policy with the catalogue version that names its variant.
pub struct HealthPolicyShown {
    pub policy: Policy,
    /// Catalogue version of the variant. `None` for an imported policy, whose record names the variant.
    pub catalogue: Option<Arc<Catalogue>>,
}

/// Reads health policies for partners.
pub struct HealthPolicyService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) lists: Arc<Lists>,
}

impl HealthPolicyService {
    /// Health policy of a partner, by its id, by this service's policy number, or by the insurer's number.
    ///
    /// # Errors
    /// [`Error::Unknown`]. The error contains a requested id, but never a number, because that could be any
    /// text.
    pub async fn find(&self, of: PartnerId, named: &str) -> Result<HealthPolicyShown> {
        let by_id = match named.parse::<PolicyId>() {
            Ok(id) => self.shared.storage.policy(of, id).await?.filter(is_health),
            Err(_) => None,
        };
        let policy = match by_id {
            Some(policy) => Some(policy),
            None => self.shared.storage.policy_numbered(of, LineOfBusiness::Health, named).await?,
        };
        let id = if named.parse::<PolicyId>().is_ok() { named.to_owned() } else { String::new() };
        self.shown(policy.ok_or(Error::Unknown { what: "policy", id })?).await
    }

    /// A page of a partner's health policies, ordered by the day of issue.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of the query (D31 to D33).
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<HealthPolicyShown>> {
        let resolved = self.lists.resolve(of, ListKind::Policies, ask)?;
        let page = match resolved.which.clone() {
            Some(which) => {
                let (line, today) = (Some(LineOfBusiness::Health), self.shared.partner_clock.today(of));
                let (from, most) = (resolved.from, resolved.limit.into());
                self.shared.storage.policies(of, line, which, from, most, today).await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let mut shown = Vec::with_capacity(records.len());
        for policy in records {
            shown.push(self.shown(policy).await?);
        }
        let page = Page { records: shown, has_newer, has_older, count };
        let position = |HealthPolicyShown { policy, .. }: &HealthPolicyShown| ListPosition {
            created_at: policy.issued_at,
            id: policy.id.uuid(),
        };
        Ok(self.lists.page(of, ListKind::Policies, resolved, page, position))
    }

    async fn shown(&self, policy: Policy) -> Result<HealthPolicyShown> {
        let catalogue = match policy.cover.catalogue() {
            Some(hash) => Some(self.shared.catalogues.version(hash).await?),
            None => None,
        };
        Ok(HealthPolicyShown { policy, catalogue })
    }
}

fn is_health(policy: &Policy) -> bool {
    policy.line() == LineOfBusiness::Health
}
