-- The caller moves the position into the period. So only the far end of the period needs a condition, and the index is
-- read from the position on.
select {columns} from {shown}
 where partner_id = $1 and {filter} and {at} {within} $2 and ({at}, {id}) {beyond} ($3, $4)
 order by {at} {order}, {id} {order} limit $5
