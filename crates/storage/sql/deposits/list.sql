select insurer_id, name, balance, guaranteed from deposits order by insurer_id, name
