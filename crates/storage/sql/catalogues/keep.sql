insert into catalogues (hash, files, first_kept_at) values ($1, $2, $3) on conflict (hash) do nothing
