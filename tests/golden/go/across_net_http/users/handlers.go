package users

import "net/http"

const root = "/users"

func list(w http.ResponseWriter, r *http.Request) {}

func note(w http.ResponseWriter, r *http.Request) {
	r.Header.Get("/nothing")
}
