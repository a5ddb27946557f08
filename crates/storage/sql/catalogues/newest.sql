select hash from catalogues order by first_kept_at desc limit 1
