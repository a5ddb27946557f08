-- Lets another policy follow one, only in the version in which it was seen. No row: it was changed meanwhile, and nothing was
-- done. In the transaction that issues the other one.
with changed as (
    update policies set state = $3, changed_at = $4, version = $5, body = $6
     where partner_id = $1 and policy_id = $2 and version = $7
    returning 1
), made as (
    insert into policy_moves (partner_id, policy_id, moved_at, moved_by, from_state, to_state, reason, sequence)
    select $1, $2, made.moved_at, made.moved_by, made.from_state, made.to_state, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from policy_moves where partner_id = $1 and policy_id = $2)
      from changed, unnest($8::bigint[], $9::smallint[], $10::smallint[], $11::smallint[], $12::bytea[])
        with ordinality as made (moved_at, moved_by, from_state, to_state, reason, nth)
)
select 1 from changed
