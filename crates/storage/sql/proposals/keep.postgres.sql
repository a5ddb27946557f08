-- The proposal with its moves, its journey's new version and what goes with them, in one statement: whole or not at all. No
-- row: the journey was changed meanwhile, and nothing was done. A response whose key was used, a proposal that is active
-- already, or a deposit that has too little, ends it all.
-- `proposals/goes_with.postgres.sql` follows, and `events/within.postgres.sql`, which keeps the act's events: $1 to $7.
with changed as (
    update journeys set seen_at = given.seen_at, version = given.version, body = given.body
      from unnest($60::uuid[], $61::bigint[], $62::integer[], $63::bytea[], $64::integer[])
        as given (journey_id, seen_at, version, body, before)
     where journeys.partner_id = $8 and journeys.journey_id = given.journey_id and journeys.version = given.before
    returning 1
), act as (
    select 1 where (select count(*) from changed) = cardinality($60::uuid[])
), kept as (
    insert into proposals
        (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
    select $8, $9, $10, $51, $52, $53, $54, $55, $56, $57, $58, $59 from act
), made as (
    insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
    select $8, $9, $10, made.* from act, unnest($11::bigint[], $12::smallint[], $13::smallint[], $14::smallint[], $15::bytea[])
        with ordinality as made
