-- Other processes read partners and keys again when this number has changed.
update revision set number = number + 1 where one = 1
