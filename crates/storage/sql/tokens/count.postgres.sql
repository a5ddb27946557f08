-- Counts a generation in the partner's row, unless as many as allowed lie within the hour before it (D6). Who comes at the
-- same moment waits for the row and judges it as it is then. The first column tells whether it was counted, the second
-- the oldest one that counts.
with counted as (
    insert into tokens as t (partner_id, issued, newest)
    select $1, array[$2::bigint], $3 where $4::bigint > 0
    on conflict (partner_id) do update
       set issued = array(select at from unnest(t.issued) as at where at > $5 order by at) || $2::bigint, newest = excluded.newest
     where (select count(*) from unnest(t.issued) as at where at > $5) < $4
    returning 1
)
select exists (select 1 from counted),
       (select min(at) from tokens, unnest(issued) as at where partner_id = $1 and at > $5)
