-- Rows of a list that is narrower than what is counted. What counts are found by is not needed then.
select count(*) from {table} as q
 where q.partner_id = $1 and {filter} and q.{at} >= $2 and q.{at} < $3
   and ($7::smallint[] is null or $8::integer is null or $9::integer is null) is not null
