-- Rows that no month has, of any partner, a few at a time.
delete from {table}_other where ctid = any (array(select ctid from {table}_other where {key} < $1 limit $2))
