select insurer_id, name, balance from deposits order by insurer_id, name
