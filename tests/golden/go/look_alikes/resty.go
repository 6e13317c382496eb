package alike

import "github.com/go-resty/resty/v2"

type drive struct{}

func (drive) R() drive               { return drive{} }
func (drive) Get(path string) string { return "" }

func restyNot(r *resty.Response, d drive) {
	r.Header().Get("/x")
	d.R().Get("/not/a/call")
	d.Get("http://not/a/call")
}
