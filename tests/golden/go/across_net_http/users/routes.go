package users

import "net/http"

func Register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+root, list)
	mux.HandleFunc("POST /users/{id}/notes", note)
}
