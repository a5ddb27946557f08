-- Changes a claim only in the version in which it was seen. No row: somebody was first, and nothing was done.
with changed as (
    update claims set state = $3, changed_at = $4, version = $5, settle_by = $6, body = $7
     where partner_id = $1 and claim_id = $2 and version = $8
    returning 1
), made as (
    insert into claim_moves (partner_id, claim_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $1, $2, made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from claim_moves where partner_id = $1 and claim_id = $2)
      from changed, unnest($9::bigint[], $10::smallint[], $11::smallint[], $12::smallint[], $13::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
)
select 1 from changed
