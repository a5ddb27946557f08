select number from revision where one = 1
