-- A row comes back for a new deposit alone; of another one only the guarantee is noted.
insert into deposits (insurer_id, name, balance, guaranteed, opened_at) values ($1, $2, $3, $4, $5)
on conflict (insurer_id, name) do nothing returning 1
