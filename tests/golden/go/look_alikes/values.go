package alike

import "net/http"

type shelf struct{ name string }

type pair struct{ Method, Path string }

// A table that nobody registers, and the fields of a literal that no request uses.
var pairs = []pair{{"GET", "/not/a/route"}}

func (s *shelf) Get(path string) string { return s.name + path }

func valuesNot(s *shelf, h http.Header) {
	for _, p := range pairs {
		s.Get(p.Path)
		h.Set(p.Method, p.Path)
	}
	get := func(path string) string { return path }
	get("/not/a/request")
}
