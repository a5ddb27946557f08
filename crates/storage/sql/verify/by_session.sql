-- verify/by_session.sql: the records of a list, in the order in which its sessions are counted.
select partner_id, session_id from {table} where {filter} and session_id is not null order by partner_id, session_id
