delete from answers where kept_at < $1
