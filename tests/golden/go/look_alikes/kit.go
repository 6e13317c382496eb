package alike

import kithttp "github.com/go-kit/kit/transport/http"

type pool struct{}

func (pool) NewClient(a, b string) {}

func kitNot(p pool, name string) {
	kithttp.NewServer(nil, nil, nil)
	p.NewClient("POST", name)
	p.NewClient("POST", join("http://not", "/a/call"))
}

func join(a, b string) string { return a + b }
