select {columns} from {shown}
 where partner_id = $1 and {filter} and session_id = $2 and ({at}, {id}) {beyond} ($3, $4)
 order by {at} {order}, {id} {order} limit $5
