-- $2 is the head of the value that was read. It is unique, because it contains the nonce. If no row changed, the value
-- was changed or deleted meanwhile.
update {table} set {column} = $1 where substr({column}, 1, 17) = $2 and ({key}) = ({after})
