-- Counts the rows one by one, because the stored counts do not know the list's filter.
select count(*) from {shown} where partner_id = $1 and {filter} and {at} >= $2 and {at} < $3
