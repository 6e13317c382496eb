package main

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

func routes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "find-boat",
		Method:      http.MethodGet,
		Path:        "/boats/{id}",
		Summary:     "A boat",
	}, find)
	huma.Put(api, "/boats/{id}", paint)
}
