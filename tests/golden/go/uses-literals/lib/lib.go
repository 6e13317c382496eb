package lib

type Pair struct{ Name, Value string }

type Metric struct {
	Label []*Pair
	Inner Pair
}
