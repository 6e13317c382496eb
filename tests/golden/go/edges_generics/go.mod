module gen
