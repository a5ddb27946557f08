-- Rows that no month has, of any partner: all of them, since a node counts by itself. $2 says so.
delete from {table}_other where {key} < $1 and $2::bigint > 0
