-- Changes a policy only in the version in which it was seen, and keeps a claim on it that is made known or moved, or the
-- certificate that an endorsement replaces. No row: somebody was first, and nothing was done.
-- `events/within.postgres.sql` follows, which keeps the act's events: $1 to $7.
with before as materialized (
    select partner_id, policy_id, certificate_version, number, certificate from policies
     where partner_id = $8 and policy_id = $9 and version = $15
), changed as (
    update policies set state = $10, changed_at = $11, version = $12, refund_due_on = $13, body = $14,
        certificate = coalesce($56::bytea, certificate), certificate_version = coalesce($57::integer, certificate_version),
        endorsement_asked_at = $63
     where partner_id = $8 and policy_id = $9 and version = $15
       -- A program of the version before changes a claim alone.
       and not exists (
           select 1 from claims where partner_id = $8 and claim_id = ($36::uuid[])[1] and version <> ($43::integer[])[1] - 1)
    returning 1
), made as (
    insert into policy_moves (partner_id, policy_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $8, $9, made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from policy_moves where partner_id = $8 and policy_id = $9)
      from changed, unnest($16::bigint[], $17::smallint[], $18::smallint[], $19::smallint[], $20::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from changed, unnest($21::uuid[], $22::bytea[], $23::bigint[], $24::bytea[]) as response
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id, reference)
    select posted.* from changed, unnest($25::bigint[], $26::smallint[], $27::smallint[], $28::smallint[], $29::bigint[],
        $30::uuid[], $31::text[], $32::uuid[], $33::uuid[], $34::text[]) as posted
), claimed as (
    insert into claims
        (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, same, body)
    select claim.partner_id, claim.claim_id, claim.created_at, claim.policy_id, claim.line, claim.session_id, claim.state,
        claim.changed_at, claim.version, claim.settle_by, claim.claim_id, claim.body
      from changed, unnest(
        $35::uuid[], $36::uuid[], $37::bigint[], $38::uuid[], $39::smallint[], $40::uuid[], $41::smallint[], $42::bigint[],
        $43::integer[], $44::integer[], $45::bytea[]) as claim
            (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body)
    on conflict (partner_id, claim_id) do update set state = excluded.state, changed_at = excluded.changed_at,
        version = excluded.version, settle_by = excluded.settle_by, body = excluded.body
), claim_made as (
    insert into claim_moves (partner_id, claim_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $8, ($36::uuid[])[1], made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from claim_moves where partner_id = $8 and claim_id = ($36::uuid[])[1])
      from changed, unnest($46::bigint[], $47::smallint[], $48::smallint[], $49::smallint[], $50::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $8, $51, one.*, 1 from changed, unnest($52::smallint[], $53::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $8, one.*, 1 from changed, unnest($54::smallint[], $55::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), replaced as (
    insert into replaced_certificates (partner_id, policy_id, certificate_version, replaced_at, number, certificate)
    select partner_id, policy_id, certificate_version, $58::bigint, number, certificate from before, changed
     where $56::bytea is not null
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select tag.* from changed, unnest($59::uuid[], $60::uuid[], $61::uuid[], $62::bytea[]) as tag
    on conflict do nothing
), told as (
    -- Whoever works on the job has lost it, and its end is not its end.
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $8, 30, $9, $64::bigint from changed where $64::bigint is not null
    on conflict (partner_id, kind, subject_id) do update set due_at = excluded.due_at, owner = null
), act as (
    select 1 from changed
