-- Number of rows of a list for which no count is kept.
select count(*) from {shown} where partner_id = $1 and {filter} and {at} >= $2 and {at} < $3
