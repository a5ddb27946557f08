-- A row comes back only for a new deposit. Each draw says whether it is guaranteed.
insert into deposits (insurer_id, name, balance, guaranteed, opened_at) values ($1, $2, $3, false, $4)
on conflict (insurer_id, name) do nothing
