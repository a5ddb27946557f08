-- When this number changes, other processes read the partners, secrets and keys again.
update revision set number = number + 1 where one = 1
