-- If no row changed, another process has counted a token since the row was read.
insert into token_counts (partner_id, issued, version) values ($1, $2, $3)
on conflict (partner_id) do update set issued = excluded.issued, version = excluded.version
 where token_counts.version = excluded.version - 1
