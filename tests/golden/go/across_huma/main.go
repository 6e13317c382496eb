package main

import (
	"github.com/danielgtaylor/huma/v2"

	"example.com/boats/boats"
)

func setup(api huma.API) {
	boats.Register(huma.NewGroup(api, "/harbour"))
}
