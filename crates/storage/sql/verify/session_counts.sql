-- Each with how many records of the list its session has.
select partner_id, session_id, number,
       (select count(*) from {table} where {filter} and {table}.partner_id = counted.partner_id
           and {table}.session_id = counted.session_id)
  from session_counts as counted where kind = {kind}
