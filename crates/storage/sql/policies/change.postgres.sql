-- Changes a policy only in the version in which it was seen, and keeps a claim that is made known on it, or the certificate that
-- an endorsement replaces. No row: somebody was first, and nothing was done. The same claim twice ends it all.
with changed as (
    update policies set state = $3, changed_at = $4, version = $5, refund_due_on = $6, body = $7,
        certificate = coalesce($50::bytea, certificate), certificate_version = coalesce($51::integer, certificate_version),
        endorsement_asked_at = $57
     where partner_id = $1 and policy_id = $2 and version = $8
    returning 1
), made as (
    insert into policy_moves (partner_id, policy_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $1, $2, made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from policy_moves where partner_id = $1 and policy_id = $2)
      from changed, unnest($9::bigint[], $10::smallint[], $11::smallint[], $12::smallint[], $13::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from changed, unnest($14::uuid[], $15::bytea[], $16::bigint[], $17::bytea[]) as response
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id, reference)
    select posted.* from changed, unnest($18::bigint[], $19::smallint[], $20::smallint[], $21::smallint[], $22::bigint[],
        $23::uuid[], $24::text[], $25::uuid[], $26::uuid[], $27::text[]) as posted
), claimed as (
    insert into claims
        (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, same, body)
    select claim.* from changed, unnest(
        $28::uuid[], $29::uuid[], $30::bigint[], $31::uuid[], $32::smallint[], $33::uuid[], $34::smallint[], $35::bigint[],
        $36::integer[], $37::integer[], $38::uuid[], $39::bytea[]) as claim
), claim_made as (
    insert into claim_moves (partner_id, claim_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $1, ($29::uuid[])[1], made.* from changed,
        unnest($40::bigint[], $41::smallint[], $42::smallint[], $43::smallint[], $44::bytea[]) with ordinality as made
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $1, $45, one.*, 1 from changed, unnest($46::smallint[], $47::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $1, one.*, 1 from changed, unnest($48::smallint[], $49::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), replaced as (
    -- This sees the policy as it was before the change above.
    insert into replaced_certificates (partner_id, policy_id, certificate_version, replaced_at, number, certificate)
    select partner_id, policy_id, certificate_version, $52::bigint, number, certificate from policies, changed
     where partner_id = $1 and policy_id = $2 and $50::bytea is not null
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select tag.* from changed, unnest($53::uuid[], $54::uuid[], $55::uuid[], $56::bytea[]) as tag
    on conflict do nothing
), told as (
    -- Whoever works on the job has lost it, and its end is not its end.
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, 30, $2, $58::bigint from changed where $58::bigint is not null
    on conflict (partner_id, kind, subject_id) do update set due_at = excluded.due_at, owner = null
)
select 1 from changed
