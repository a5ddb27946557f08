-- Seals rows anew, but for those that were changed meanwhile: the head of an envelope has its nonce.
update {table} set {column} = given.sealed_anew
  from unnest($1::bytea[], $2::bytea[], {arrays}) as given (sealed_anew, head, {key})
 where {join} and substr({table}.{column}, 1, 17) = given.head
