-- Changes a claim only in the version in which it was seen. No row: somebody was first, and nothing was done.
-- `events/within.postgres.sql` follows, which keeps the act's events: $1 to $7.
with changed as (
    update claims set state = $10, changed_at = $11, version = $12, settle_by = $13, body = $14
     where partner_id = $8 and claim_id = $9 and version = $15
    returning 1
), made as (
    insert into claim_moves (partner_id, claim_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $8, $9, made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from claim_moves where partner_id = $8 and claim_id = $9)
      from changed, unnest($16::bigint[], $17::smallint[], $18::smallint[], $19::smallint[], $20::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
), act as (
    select 1 from changed
