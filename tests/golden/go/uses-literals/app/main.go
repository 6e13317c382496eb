package main

import "example.com/lib"

const Name = "x"

var m = &lib.Metric{
	Label: []*lib.Pair{
		{Name: "a"},
		{Value: "b"},
	},
	Inner: lib.Pair{Name: Name},
}

var byKey = map[string]lib.Pair{
	"k": {Value: "c"},
}

var cases = []struct{ Name string }{{Name: "own"}}
