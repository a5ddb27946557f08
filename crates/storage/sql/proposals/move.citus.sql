-- The same as `move.postgres.sql` where tables are spread: a transaction of statements that the partner's node executes as they
-- are. `proposals/goes_with.citus.sql` and `events/within.citus.sql` follow.

-- decides
update proposals set status = $51, changed_at = $52, reason = $53
 where partner_id = $8 and proposal_id = $9 and line = $10 and status = $54;

insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
select subject.partner_id, $9, $10, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from moves where partner_id = $8 and proposal_id = $9)
  from {subject}, unnest($11::bigint[], $12::smallint[], $13::smallint[], $14::smallint[], $15::bytea[])
    with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth);

delete from jobs where partner_id = $8 and kind = $27 and subject_id = $9 and $29;

delete from premiums where partner_id = $8 and proposal_id = $9 and route = 1 and $55;
