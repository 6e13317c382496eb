package sums

import "testing"

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Fatal(check())
	}
}

func check() int { return add(1, 1) }
