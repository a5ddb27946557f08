select partner_id, event_id, happened_at, type as kind, subject_id, sequence, body from events
