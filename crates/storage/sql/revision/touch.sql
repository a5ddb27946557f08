-- Changes nothing, but is a write like any other: it finds out whether there can be one.
update revision set number = number where one = 1
