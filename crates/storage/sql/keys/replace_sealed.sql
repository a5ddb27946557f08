-- keys/replace_sealed.sql: seals a row anew, unless it was changed meanwhile: the head of an envelope has its nonce.
update {table} set {column} = $1 where substr({column}, 1, 17) = $2 and ({key}) = ({after})
