select number from migrations where number = 0 for update
