-- Rows of a list that is narrower than what is counted.
select count(*) from {shown} where partner_id = $1 and {filter} and {at} >= $2 and {at} < $3
