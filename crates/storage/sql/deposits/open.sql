-- If no row is inserted, the deposit already exists. `guaranteed` is false until a draw sets it.
insert into deposits (insurer_id, name, balance, guaranteed, opened_at, proof) values ($1, $2, $3, false, $4, $5)
on conflict (insurer_id, name) do nothing
