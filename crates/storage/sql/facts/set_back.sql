-- If no row comes back, another process has already set the fact back. The values are instants in UTC as text. Their
-- text order is their time order, except within a second.
update facts set value = $1 where name = $2 and value > $1 returning 1
