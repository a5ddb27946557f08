update keys set wrapped = $1 where number = $2
