-- Moves a proposal only from where it was seen (D28). No row: somebody was first, and nothing was done. $29 says whether
-- the move decides: nobody is asked any more then. A draw on a deposit that has too little ends it all, by the schema's
-- rule; a proposal that waited for its deposit (route 1) waits no longer once it is decided ($55).
-- `proposals/goes_with.postgres.sql` follows, and `events/within.postgres.sql`, which keeps the act's events: $1 to $7.
with act as (
    update proposals set status = $51, changed_at = $52, reason = $53
     where partner_id = $8 and proposal_id = $9 and line = $10 and status = $54
    returning 1
), made as (
    insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
    select $8, $9, $10, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from moves where partner_id = $8 and proposal_id = $9)
      from act, unnest($11::bigint[], $12::smallint[], $13::smallint[], $14::smallint[], $15::bytea[])
        with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth)
), decided as (
    delete from jobs using act
     where jobs.partner_id = $8 and jobs.kind = $27 and jobs.subject_id = $9 and $29
), waited as (
    delete from premiums using act
     where premiums.partner_id = $8 and premiums.proposal_id = $9 and premiums.route = 1 and $55
