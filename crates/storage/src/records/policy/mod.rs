//! Policies with their certificates: operations on the store.

mod row;

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::policy::{CheckCode, Policy};
use domain::policy_state::PolicyState;
use domain::proposal::Move;
use ports::storage::jobs::JobKind;
use ports::storage::lists::{Beyond, ListStart, Page, Selection};
use ports::storage::policies::{PolicyAct, PolicyChanged};
use ports::storage::{CertificateDocument, Certificates, ImportEnd, Policies, Records, Result};

use super::counted::{Count, count};
use super::import::Imported;
use super::list::List;
use super::moves::StateMoveRow;
use super::{claim, deposit, event, id_bytes, job, kept_response, premium, tag};
use crate::audit::on;
use crate::fields::{Coded, FromRow, RowFields, Value, day_number, may_be_text, values};
use crate::operation::{Guard, Operation, Statement, Stop, sql};
use crate::store::Store;

pub(crate) use row::*;

/// Writes a newly issued policy, with its tags and counts, and the job that notifies the insurer.
pub(crate) fn keep(to: &mut dyn Operation, policy: &PolicyRows) {
    to.require(sql!("policies/keep"), &policy.values(None), Guard::Taken);
    tag::add(to, &policy.tags);
    tell(to, policy);
    count(to, policy.row.partner_id, &[policy.count]);
}

/// Adds the job that notifies the policy's insurer, or makes it due again. Does nothing if the insurer is not
/// to be notified.
fn tell(to: &mut dyn Operation, PolicyRows { row, tell, .. }: &PolicyRows) {
    if let Some(due) = tell {
        let (of, id) = (id_bytes(row.partner_id), id_bytes(row.policy_id));
        job::begin_anew(to, of, JobKind::Notice.code().into(), id, *due);
    }
}

/// Changes a policy if it still has the version that was read. If not, the operation stops with `guard`.
pub(crate) fn change(to: &mut dyn Operation, change: &Change, guard: Guard) {
    kept_response::keep(to, change.response.as_ref());
    let PolicyRows { row, refund_due_on, endorsement_asked_at, tags, .. } = &change.policy;
    let Row { partner_id: of, policy_id: id, state, changed_at, version, insurer_number, body, .. } = row;
    let before = change.before;
    let asked = endorsement_asked_at;
    let values =
        values![state, changed_at, version, refund_due_on, asked, insurer_number, body, of, id, before];
    to.require(sql!("policies/change"), values, guard);
    if let Some(EndorsedRow { certificate, version, at }) = &change.endorsed {
        to.execute(sql!("replaced_certificates/add"), values![at, of, id]);
        to.execute(sql!("policies/recertify"), values![certificate, version, of, id]);
        tag::add_once(to, tags);
    }
    for made in &change.moves {
        made.add(to, sql!("policy_moves/add"));
    }
    premium::post(to, &change.postings);
    tell(to, &change.policy);
    if let Some(claim) = &change.claim {
        claim::keep(to, claim);
    }
    event::note(to, &change.events);
    if let Some(PaymentRow { reference, paid_for, part, .. }) = &change.payment {
        let (total, used) = part.map(|part| (part.total, part.amount)).unzip();
        let values = values![reference.hash, reference.sealed, paid_for, changed_at, total, used];
        to.execute_last(sql!("payments/note"), values, Some(Guard::Payment));
    }
    for back in change.postings.iter().filter(|posting| posting.deposit.is_some()) {
        deposit::add_last(to, back.amount.paise(), back.insurer_id, back.deposit.as_deref());
    }
}

impl Store {
    /// Policies that a statement finds.
    async fn policies_of(&self, list: Statement<'_>, values: &[Value<'_>]) -> Result<Vec<Policy>> {
        self.all(list, values, |row| Row::columns(row)?.open(&self.seal)).await
    }

    /// Policy that a statement finds.
    async fn one_policy(&self, read: Statement<'_>, values: &[Value<'_>]) -> Result<Option<Policy>> {
        self.first(read, values, |row| Row::columns(row)?.open(&self.seal)).await
    }
}

#[async_trait]
impl Policies for Store {
    async fn policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<Policy>> {
        self.one_policy(sql!("policies/read"), values![of, id]).await
    }

    async fn policy_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<Policy>> {
        self.one_policy(sql!("policies/read_of_proposal"), values![of, proposal]).await
    }

    async fn policy_numbered(
        &self,
        of: PartnerId,
        line: LineOfBusiness,
        number: &str,
    ) -> Result<Option<Policy>> {
        if !may_be_text(number) {
            return Ok(None);
        }
        self.one_policy(sql!("policies/read_by_either_number"), values![of, line, number]).await
    }

    async fn change_policy(&self, policy: &Policy, act: PolicyAct<'_>) -> Result<PolicyChanged> {
        let given = Change::of(&self.seal, policy, act)?;
        let candidates = given.payment.as_ref().map(|payment| payment.candidates.clone()).unwrap_or_default();
        let changed = self.act(on("policy.change", policy.id), given, |given, to| {
            Box::pin(async move {
                change(to, given, Guard::Version);
                if let Some(act) = &given.premium {
                    premium::act(to, act).await?;
                }
                match &given.payment {
                    Some(payment) => payment.is_the_first(to).await,
                    None => Ok(()),
                }
            })
        });
        match changed.await {
            Ok(()) => Ok(PolicyChanged::Done),
            Err(Stop::Guard(Guard::Response)) => Ok(PolicyChanged::Twin),
            Err(Stop::Guard(Guard::Version)) => Ok(PolicyChanged::Lost),
            Err(Stop::Guard(Guard::Payment)) => {
                let other = self
                    .first(
                        sql!("payments/read"),
                        values![candidates[0], candidates[1], candidates[2]],
                        |row| row.get(0),
                    )
                    .await?;
                Ok(PolicyChanged::Paid(other.unwrap_or_default()))
            }
            Err(stop) => Err(stop.into()),
        }
    }

    async fn import_policies(&self, records: Records<Policy>) -> Result<ImportEnd> {
        let seal = self.seal.clone();
        self.import(Box::new(records.map(move |policy| PolicyRows::of(&seal, &policy?)))).await
    }

    async fn policies_of_proposals(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<(ProposalId, PolicyId)>> {
        let reads =
            proposals.iter().map(|proposal| (sql!("policies/of_proposal"), values![of, proposal].to_vec()));
        let reads: Vec<_> = reads.collect();
        self.all_of(&reads, FromRow::columns).await
    }

    async fn policies_numbered(&self, of: &[PartnerId], number: &str, most: usize) -> Result<Vec<Policy>> {
        if !may_be_text(number) {
            return Ok(Vec::new());
        }
        let reads = of.iter().map(|of| (sql!("policies/numbered"), values![of, number, most].to_vec()));
        let reads: Vec<_> = reads.collect();
        let mut policies = self.all_of(&reads, |row| Row::columns(row)?.open(&self.seal)).await?;
        policies.sort_by_key(|policy: &Policy| std::cmp::Reverse((policy.issued_at, policy.id)));
        policies.truncate(most);
        Ok(policies)
    }

    async fn policies(
        &self,
        of: PartnerId,
        line: Option<LineOfBusiness>,
        which: Selection,
        start: ListStart,
        most: usize,
        today: Date,
    ) -> Result<Page<Policy>> {
        let list = match line {
            Some(line) => List::policies(line),
            None => List::any_policies(which.state(), today),
        };
        let page: Page<Row> = self.page(&list, of, which, start, most).await?;
        page.try_map(|found| found.open(&self.seal))
    }

    async fn policy_history(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Move<PolicyState>>> {
        let open = |row: RowFields<'_>| StateMoveRow::columns(row)?.open(&self.seal, MOVES);
        self.all(sql!("policy_moves/list"), values![of, policy], open).await
    }

    async fn owner_of_policy(&self, policy: PolicyId) -> Result<Option<PartnerId>> {
        self.first(sql!("policies/owner_of"), values![policy], |row| row.get(0)).await
    }

    async fn endorsements_open(&self, most: usize) -> Result<Vec<Policy>> {
        self.policies_of(sql!("policies/endorsements_open"), values![most]).await
    }

    async fn renewals_due(
        &self,
        of: PartnerId,
        ends: Period,
        today: Date,
        from: Option<Beyond<(Date, PolicyId)>>,
        most: usize,
    ) -> Result<Vec<Policy>> {
        let position = from.map(Beyond::position);
        let (day, last) = position.map_or((0, [0; 16]), |(day, last)| (day_number(day), id_bytes(last)));
        let values = values![of, ends.first, ends.last, day, last, today, most];
        let list = sql!("policies/renewals_due");
        let Some(Beyond::Before(_)) = from else { return self.policies_of(list, values).await };
        let before = list.reversed(&[
            ("(last_day, policy_id) > ", "(last_day, policy_id) < "),
            ("order by last_day, policy_id", "order by last_day desc, policy_id desc"),
        ]);
        let mut found = self.policies_of(before.statement(), values).await?;
        found.reverse();
        Ok(found)
    }

    async fn refunds_owed(&self, most: usize) -> Result<Vec<Policy>> {
        self.policies_of(sql!("policies/refunds_owed"), values![most]).await
    }
}

impl Imported for PolicyRows {
    const ADD: Statement<'static> = sql!("policies/keep");

    fn values(&self, import: i64) -> Vec<Value<'_>> {
        PolicyRows::values(self, Some(import))
    }

    fn goes_with(&self, to: &mut dyn Operation) {
        tag::add(to, &self.tags);
    }

    fn counted(&self) -> (PartnerId, Count) {
        (self.row.partner_id, self.count)
    }
}

#[async_trait]
impl Certificates for Store {
    async fn certificate(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<CertificateDocument>> {
        let open = |row: RowFields<'_>| FoundCertificate::columns(row)?.open(&self.seal);
        self.first(sql!("policies/read_certificate"), values![of, proposal], open).await
    }

    async fn replaced_certificate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        version: u32,
    ) -> Result<Option<Vec<u8>>> {
        let open =
            |row: RowFields<'_>| open_certificate(&self.seal, of, policy, row.get(0)?, version, row.get(1)?);
        let nth = i32::try_from(version).unwrap_or(i32::MAX);
        self.first(sql!("replaced_certificates/read"), values![of, policy, nth], open).await
    }

    async fn certificate_was_read(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()> {
        self.write(sql!("policies/certificate_was_read"), values![at, of, proposal]).await.map(|_| ())
    }

    async fn policy_checked(&self, check: CheckCode) -> Result<Option<(PartnerId, PolicyId)>> {
        self.first(sql!("policies/checked"), values![check_hash(check)], FromRow::columns).await
    }
}
