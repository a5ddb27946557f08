select value from facts where name = $1
