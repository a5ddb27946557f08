-- The same as `move.postgres.sql` where tables are spread: a transaction of statements that the partner's node executes as they
-- are. The first decides. `events/within.citus.sql` follows.

-- decides
update proposals set status = $11, changed_at = $12, reason = $13
 where partner_id = $8 and proposal_id = $9 and line = $10 and status = $14;

insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
select subject.partner_id, $9, $10, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from moves where partner_id = $8 and proposal_id = $9)
  from {subject}, unnest($15::bigint[], $16::smallint[], $17::smallint[], $18::smallint[], $19::bytea[])
    with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth);

insert into policies
    (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
     last_day, renewable_until, changed_at)
select subject.partner_id, $9, $10, issued.*, issued.issued_at
  from {subject}, unnest($20::uuid[], $21::bigint[], $22::uuid[], $23::text[], $24::text[], $25::uuid[], $26::bytea[], $27::bytea[],
        $28::integer[], $55::integer[])
    as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day, renewable_until);

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, $29, $9, due from {subject}, unnest($30::bigint[]) as due
on conflict (partner_id, kind, subject_id) do nothing;

delete from jobs where partner_id = $8 and kind = $29 and subject_id = $9 and $31;

insert into kept_responses (partner_id, idempotency_key, kept_at, body)
select subject.partner_id, response.*
  from {subject}, unnest($33::bytea[], $34::bigint[], $35::bytea[]) as response;

insert into day_counts as counted (partner_id, slot, kind, day, number)
select subject.partner_id, $36, one.*, 1 from {subject}, unnest($37::smallint[], $38::integer[]) as one
on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1;

insert into session_counts as counted (partner_id, kind, session_id, number)
select subject.partner_id, one.*, 1 from {subject}, unnest($39::smallint[], $40::uuid[]) as one
on conflict (partner_id, session_id, kind) do update set number = counted.number + 1;

-- Every node has a copy, and all of them are changed.
update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
  from unnest($45::bigint[], $46::uuid[], $47::text[], $48::boolean[]) as draw (amount, insurer_id, name, guaranteed)
 where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name;

insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
select draw.*, $8, $9 from unnest(
    $41::bigint[], $42::smallint[], $43::smallint[], $44::smallint[], $45::bigint[], $46::uuid[], $47::text[]) as draw;

delete from premiums where partner_id = $8 and proposal_id = $9 and route = 1 and $49;

insert into tags (partner_id, subject_id, tag, named)
select subject.partner_id, one.* from {subject}, unnest($51::uuid[], $52::uuid[], $53::bytea[]) as one;

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, 30, policy_id, due
  from {subject}, unnest($20::uuid[], $54::bigint[]) as told (policy_id, due) where due is not null;
