select {columns} from {table}
 where partner_id = $1 and {filter} and session_id = $2 and ({at}, {id}) > ($3, $4)
 order by {at} asc, {id} asc limit $5
