package alike

import kithttp "github.com/go-kit/kit/transport/http"

type pool struct{}

func (pool) NewClient(a, b string) {}

func kitNot(p pool) {
	kithttp.NewServer(nil, nil, nil)
}
