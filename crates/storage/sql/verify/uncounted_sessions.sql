select partner_id, session_id from {table}
 where {filter} and session_id is not null
   and not exists (select 1 from session_counts as counted where counted.kind = {kind}
                    and counted.partner_id = {table}.partner_id and counted.session_id = {table}.session_id)
