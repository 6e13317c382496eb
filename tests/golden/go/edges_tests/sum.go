package sums

func Sum(a, b int) int { return add(a, b) }

func add(a, b int) int { return a + b }
