-- The same as `keep.postgres.sql` where tables are spread: a transaction of statements that the partner's node executes as they
-- are. Those before the proposal decide. `events/within.citus.sql` follows.

-- decides
update journeys set seen_at = given.seen_at, version = given.version, body = given.body
  from unnest($41::uuid[], $42::bigint[], $43::integer[], $44::bytea[], $45::integer[])
    as given (journey_id, seen_at, version, body, before)
 where journeys.partner_id = $8 and journeys.journey_id = given.journey_id and journeys.version = given.before;

insert into proposals
    (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
values ($8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
select subject.partner_id, $9, $10, made.*
  from {subject}, unnest($20::bigint[], $21::smallint[], $22::smallint[], $23::smallint[], $24::bytea[]) with ordinality as made;

insert into policies
    (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
     last_day, renewable_until, changed_at)
select subject.partner_id, $9, $10, issued.*, issued.issued_at
  from {subject}, unnest($25::uuid[], $26::bigint[], $27::uuid[], $28::text[], $29::text[], $30::uuid[], $31::bytea[], $32::bytea[],
        $33::integer[], $64::integer[])
    as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day, renewable_until);

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, $34, $9, due from {subject}, unnest($35::bigint[]) as due
on conflict (partner_id, kind, subject_id) do nothing;

insert into kept_responses (partner_id, idempotency_key, kept_at, body)
select subject.partner_id, response.*
  from {subject}, unnest($38::bytea[], $39::bigint[], $40::bytea[]) as response;

insert into day_counts as counted (partner_id, slot, kind, day, number)
select subject.partner_id, $46, one.*, 1 from {subject}, unnest($47::smallint[], $48::integer[]) as one
on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1;

insert into session_counts as counted (partner_id, kind, session_id, number)
select subject.partner_id, one.*, 1 from {subject}, unnest($49::smallint[], $50::uuid[]) as one
on conflict (partner_id, session_id, kind) do update set number = counted.number + 1;

-- Every node has a copy, and all of them are changed.
update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
  from unnest($55::bigint[], $56::uuid[], $57::text[], $58::boolean[]) as draw (amount, insurer_id, name, guaranteed)
 where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name;

insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
select draw.*, $8, $9 from unnest(
    $51::bigint[], $52::smallint[], $53::smallint[], $54::smallint[], $55::bigint[], $56::uuid[], $57::text[]) as draw;

insert into tags (partner_id, subject_id, tag, named)
select subject.partner_id, one.* from {subject}, unnest($60::uuid[], $61::uuid[], $62::bytea[]) as one;

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, 30, policy_id, due
  from {subject}, unnest($25::uuid[], $63::bigint[]) as told (policy_id, due) where due is not null;
