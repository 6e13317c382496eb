package alike

import "github.com/julienschmidt/httprouter"

type table struct{}

func (table) GET(key string, n int)              {}
func (table) Handle(method, key string, n int)   {}
func (table) Handler(first, second string, n any) {}

func httprouterNot(p httprouter.Params, t table) {
	p.ByName("/x")
	t.GET("/not/a/route", 1)
	t.Handle("GET", "/not/a/route", 1)
	t.Handler("a", "b", nil)
}
