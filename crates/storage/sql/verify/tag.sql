-- verify/tag.sql: a record's tag.
select 1 from tags where partner_id = $1 and tag = $2 and subject_id = $3
