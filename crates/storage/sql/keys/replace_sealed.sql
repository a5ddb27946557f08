-- Encrypts a row anew unless it changed meanwhile: the first bytes of an envelope have its nonce.
update {table} set {column} = $1 where substr({column}, 1, 17) = $2 and ({key}) = ({after})
