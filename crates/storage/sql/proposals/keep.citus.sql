-- The same as `keep.postgres.sql` where tables are spread: a transaction of statements that the partner's node executes as they
-- are. `proposals/goes_with.citus.sql` and `events/within.citus.sql` follow.

-- decides
update journeys set seen_at = given.seen_at, version = given.version, body = given.body
  from unnest($60::uuid[], $61::bigint[], $62::integer[], $63::bytea[], $64::integer[])
    as given (journey_id, seen_at, version, body, before)
 where journeys.partner_id = $8 and journeys.journey_id = given.journey_id and journeys.version = given.before;

insert into proposals
    (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
values ($8, $9, $10, $51, $52, $53, $54, $55, $56, $57, $58, $59);

insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
select subject.partner_id, $9, $10, made.*
  from {subject}, unnest($11::bigint[], $12::smallint[], $13::smallint[], $14::smallint[], $15::bytea[]) with ordinality as made;
