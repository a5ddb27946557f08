-- If no row comes back, another process did it. Instants of one length sort as texts.
update facts set value = $1 where name = $2 and value > $1 returning 1
