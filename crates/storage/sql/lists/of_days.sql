-- One bound each way, so that the index is entered at the position and nowhere else.
select {columns} from {shown}
 where partner_id = $1 and {filter} and {at} {within} $2 and ({at}, {id}) {beyond} ($3, $4)
 order by {at} {order}, {id} {order} limit $5
