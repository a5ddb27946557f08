update deliveries set due_at = $1 where owner = $2 and due_at is not null
