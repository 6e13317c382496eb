package shop

type Handler func(w http.ResponseWriter, r *http.Request) error

var table = map[Kind]Handler{KindA: serveA}

var _ Finder = (*Store)(nil)

const (
	KindA Kind = iota
	KindB
)

func convert(x interface{}) (err error) {
	id := ID(3)
	s := x.(Stringer)
	if _, ok := x.(*Other); ok {
		return errors.New(s.String())
	}
	var ch chan Event
	return Wrap(id, <-ch, [2]Pair{}, struct{ n int }{1})
}
