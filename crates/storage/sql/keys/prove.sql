-- If no row changed, another process has proven the row meanwhile.
update {table} set {column} = $1 where {column} is null and ({key}) = ({after})
