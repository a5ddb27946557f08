-- Nobody reads this count. To raise it is a write like any other, and so shows whether writes work.
update revision set touched = touched + 1 where one = 1
