-- A deposit that is below nought stays guaranteed.
update deposits set guaranteed = $1
 where insurer_id = $2 and name = $3 and guaranteed <> $1 and (balance >= 0 or $1)
