-- The same as `goes_with.postgres.sql` where tables are spread.
insert into policies
    (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
     last_day, renewable_until, changed_at)
select subject.partner_id, $9, $10, issued.*, issued.issued_at
  from {subject}, unnest($16::uuid[], $17::bigint[], $18::uuid[], $19::text[], $20::text[], $21::uuid[], $22::bytea[], $23::bytea[],
        $24::integer[], $25::integer[])
    as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day, renewable_until);

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, 30, policy_id, due
  from {subject}, unnest($16::uuid[], $26::bigint[]) as told (policy_id, due) where due is not null;

insert into jobs (partner_id, kind, subject_id, due_at)
select subject.partner_id, $27, $9, due from {subject}, unnest($28::bigint[]) as due
on conflict (partner_id, kind, subject_id) do nothing;

insert into kept_responses (partner_id, idempotency_key, kept_at, body)
select subject.partner_id, response.*
  from {subject}, unnest($31::bytea[], $32::bigint[], $33::bytea[]) as response;

insert into day_counts as counted (partner_id, slot, kind, day, number)
select subject.partner_id, $34, one.*, 1 from {subject}, unnest($35::smallint[], $36::integer[]) as one
on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1;

insert into session_counts as counted (partner_id, kind, session_id, number)
select subject.partner_id, one.*, 1 from {subject}, unnest($37::smallint[], $38::uuid[]) as one
on conflict (partner_id, session_id, kind) do update set number = counted.number + 1;

-- Every node has a copy, and all of them are changed.
update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
  from unnest($43::bigint[], $44::uuid[], $45::text[], $46::boolean[]) as draw (amount, insurer_id, name, guaranteed)
 where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name;

insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
select draw.*, $8, $9 from unnest(
    $39::bigint[], $40::smallint[], $41::smallint[], $42::smallint[], $43::bigint[], $44::uuid[], $45::text[]) as draw;

insert into tags (partner_id, subject_id, tag, named)
select subject.partner_id, one.* from {subject}, unnest($48::uuid[], $49::uuid[], $50::bytea[]) as one;
