package alike

import (
	"net/http"
	"net/http/httptest"
	"net/url"
)

type cache struct{}

func (cache) Get(key string) string  { return "" }
func (cache) Post(key, v string)     {}
func (cache) Handle(pattern string)  {}

func stdNot(r *http.Request, c cache) {
	c.Get("http://not/a/call")
	c.Post("/not/a/call", "x")
	c.Handle("/not/a/route")
	r.Header.Get("X-Y")
	r.URL.Query().Get("/q")
	url.Values{}.Get("a")
	httptest.NewRequest("GET", "/test", nil)
}
