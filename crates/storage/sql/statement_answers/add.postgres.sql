-- statement_answers/add.postgres.sql: fewer rows than were given mean that some were answered before.
insert into statement_answers (partner_id, statement_id, policy_id, kind, nth, answered_at, accepted, body)
select $1, $2, given.* from unnest($3::uuid[], $4::smallint[], $5::smallint[], $6::bigint[], $7::boolean[], $8::bytea[]) as given
on conflict do nothing
returning 1
