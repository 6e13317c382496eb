package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Module interface {
	Mount(chi.Router)
	Name() (name string, err error)
}

func main() {
	r := chi.NewRouter()
	modules := []Module{&Orders{}, Users{}}
	r.Route("/api/v1", func(r chi.Router) {
		for _, m := range modules {
			m.Mount(r)
		}
	})
	http.ListenAndServe(":80", r)
}
