package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func main() {
	r := chi.NewRouter()
	r.Mount("/api", orders(true))
	http.ListenAndServe(":80", r)
}
