package boats

import "github.com/danielgtaylor/huma/v2"

const one = "/boats/{id}"

func Register(api huma.API) {
	huma.Get(api, one, find)
	huma.Register(api, huma.Operation{Method: "DELETE", Path: one}, sink)
}
