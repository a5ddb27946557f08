//! Makes the tags of nominees, appointees and claimants of records that an earlier version wrote without them (D142).

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::id::PartnerId;
use domain::line::LineOfBusiness;
use ports::storage::{Fact, Identified, Result};

use super::PAGE;
use super::tag::{TagRow, add_once};
use super::{claim, id_bytes, policy, proposal, session};
use crate::audit::UPKEEP;
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Statement, sql};
use crate::store::Store;

/// Record of a page with its partner, its id and its tags.
type Tagged = (PartnerId, [u8; 16], Vec<TagRow>);

impl Store {
    /// Tags of a row of `tags/proposals`.
    fn tags_of_proposal(&self, row: RowFields<'_>) -> Result<Tagged> {
        let found = proposal::Row::columns(row)?;
        let (of, id, line) = (found.partner_id, id_bytes(found.proposal_id), found.line);
        let people = match line {
            LineOfBusiness::CreditLife => found.open::<CreditLife>(&self.seal)?.identifiers(),
            LineOfBusiness::Health => found.open::<Health>(&self.seal)?.identifiers(),
        };
        Ok((of, id, TagRow::all(&self.seal, of, Identified::Proposal(line), id, &people)?))
    }

    /// Tags of a row of `tags/policies`.
    fn tags_of_policy(&self, row: RowFields<'_>) -> Result<Tagged> {
        let policy = policy::Row::columns(row)?.open(&self.seal)?;
        let (of, id) = (policy.partner, id_bytes(policy.id));
        Ok((of, id, TagRow::all(&self.seal, of, Identified::Policy, id, &policy.identifiers())?))
    }

    /// Tags of a row of `tags/claims`.
    fn tags_of_claim(&self, row: RowFields<'_>) -> Result<Tagged> {
        let claim = claim::Row::columns(row)?.open(&self.seal)?;
        Ok((claim.partner, id_bytes(claim.id), claim::tags(&self.seal, &claim)?))
    }

    /// Tags of a row of `tags/sessions`.
    fn tags_of_session(&self, row: RowFields<'_>) -> Result<Tagged> {
        let session = session::Row::columns(row)?.open(&self.seal)?;
        let (of, id) = (session.partner, id_bytes(session.id));
        Ok((of, id, TagRow::all(&self.seal, of, Identified::Session, id, &session.identifiers())?))
    }

    async fn index_each(
        &self,
        page: Statement<'static>,
        tags: impl Fn(RowFields<'_>) -> Result<Tagged> + Send + Sync,
    ) -> Result<u64> {
        let (mut of, mut after, mut rows) = ([0; 16], [0; 16], 0);
        loop {
            let read = self.all(page, values![of, after, PAGE], &tags).await?;
            let Some((last, id, _)) = read.last() else { return Ok(rows) };
            (of, after) = (id_bytes(*last), *id);
            rows += read.len() as u64;
            let added: Vec<TagRow> = read.into_iter().flat_map(|(.., tags)| tags).collect();
            let kept = self.act(UPKEEP, added, |tags, to| {
                Box::pin(async move {
                    add_once(to, tags);
                    Ok(())
                })
            });
            kept.await?;
        }
    }

    /// Makes the tags of the people of all records, if an earlier version left some out.
    pub(super) async fn index_people_of_records(&self) -> Result<u64> {
        let fact = Fact::PeopleToIndex.word();
        let is_due = self.first(sql!("facts/read"), values![fact], |row| row.get::<String>(0)).await?;
        if is_due.is_none() {
            return Ok(0);
        }
        let proposals = self.index_each(sql!("tags/proposals"), |row| self.tags_of_proposal(row)).await?;
        let policies = self.index_each(sql!("tags/policies"), |row| self.tags_of_policy(row)).await?;
        let claims = self.index_each(sql!("tags/claims"), |row| self.tags_of_claim(row)).await?;
        let sessions = self.index_each(sql!("tags/sessions"), |row| self.tags_of_session(row)).await?;
        self.write(sql!("facts/forget"), values![fact]).await?;
        Ok(proposals + policies + claims + sessions)
    }
}
