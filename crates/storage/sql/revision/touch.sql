-- Nobody reads this count. Raising it is a write like any other, and finds out whether there can be one.
update revision set touched = touched + 1 where one = 1
