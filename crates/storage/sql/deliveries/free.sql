update deliveries set due_at = $1, owner = null where owner is not null and due_at is not null
