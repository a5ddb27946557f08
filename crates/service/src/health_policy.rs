//! Health policies as partners read them that are existing users of the deprecated reads (interface §12, §13; D9, D31 to
//! D35, D54).

use std::sync::Arc;

use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, ProposalId};
use rating::Catalogue;

use crate::Service;
use crate::cursor::ListKind;
use crate::error::Error;
use crate::list::{ListAsk, ListPage};
use crate::storage::lists::{Page, Place};

/// A health policy with the catalogue that names its variant; `None` for an imported one, which names its own.
pub struct HealthPolicyShown {
    /// The policy.
    pub policy: HealthPolicy,
    /// The catalogue version.
    pub catalogue: Option<Arc<Catalogue>>,
}

impl Service {
    /// A health policy of a partner by our id, or by the insurer's number or ours.
    ///
    /// # Errors
    /// [`Error::Unknown`], which names nothing: a number is whatever somebody wrote.
    pub async fn health_policy(&self, of: PartnerId, named: &str) -> Result<HealthPolicyShown, Error> {
        let by_id = match named.parse::<PolicyId>() {
            Ok(id) => self.storage.health_policy(of, id).await?,
            Err(_) => None,
        };
        let policy = match by_id {
            Some(policy) => Some(policy),
            None => self.storage.health_policy_numbered(of, named).await?,
        };
        let id = if named.parse::<PolicyId>().is_ok() { named.to_owned() } else { String::new() };
        self.show_health_policy(policy.ok_or(Error::Unknown { what: "policy", id })?).await
    }

    /// A page of a partner's health policies, by the day of issue.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked (D31 to D33).
    pub async fn health_policies(
        &self,
        of: PartnerId,
        ask: ListAsk,
    ) -> Result<ListPage<HealthPolicyShown>, Error> {
        let resolved = self.resolve(of, ListKind::Policies, ask)?;
        let page = match resolved.which {
            Some(which) => {
                self.storage.health_policies(of, which, resolved.from, resolved.limit.into()).await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let mut shown = Vec::with_capacity(records.len());
        for policy in records {
            shown.push(self.show_health_policy(policy).await?);
        }
        let page = Page { records: shown, has_newer, has_older, count };
        let place = |HealthPolicyShown { policy, .. }: &HealthPolicyShown| Place {
            created_at: policy.issued_at,
            id: policy.id.uuid(),
        };
        Ok(self.page(of, ListKind::Policies, resolved, page, place))
    }

    /// The policy that came of a health proposal.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn health_policy_of(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<HealthPolicy>, Error> {
        Ok(self.storage.health_policy_of(of, id).await?)
    }

    async fn show_health_policy(&self, policy: HealthPolicy) -> Result<HealthPolicyShown, Error> {
        let catalogue = match policy.issued() {
            Some(issued) => Some(self.catalogue_version(issued.chosen.catalogue).await?),
            None => None,
        };
        Ok(HealthPolicyShown { policy, catalogue })
    }
}
