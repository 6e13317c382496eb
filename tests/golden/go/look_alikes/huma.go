package alike

import "github.com/danielgtaylor/huma/v2"

func humaNot(api huma.API, c *cache) {
	huma.WriteErr(api, nil, 404, "/nothing")
	c.Get(api, "/nothing", nil)
}
