update keys set retired_at = $1 where number = $2 and retired_at is null
