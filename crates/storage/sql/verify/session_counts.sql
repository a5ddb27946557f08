-- Each count of a session, and the number of records in the list that the session really has.
select partner_id, session_id, number,
       (select count(*) from {table} where {filter} and {table}.partner_id = counted.partner_id
           and {table}.session_id = counted.session_id)
  from session_counts as counted where kind = {kind}
