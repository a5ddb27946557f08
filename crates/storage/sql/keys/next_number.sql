select coalesce(max(number), 0) + 1 from keys
