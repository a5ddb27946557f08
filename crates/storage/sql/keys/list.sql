select number, purpose, wrapped, created_at, active_from, retired_at from keys order by number
