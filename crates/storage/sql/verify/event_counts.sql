select c.partner_id, c.subject_id, c.number,
       (select count(*) from events e where e.partner_id = c.partner_id and e.subject_id = c.subject_id),
       (select max(sequence) from events e where e.partner_id = c.partner_id and e.subject_id = c.subject_id),
       (select min(sequence) from events e where e.partner_id = c.partner_id and e.subject_id = c.subject_id)
  from event_counts c
