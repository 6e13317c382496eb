package items

import "net/http"

func Show(w http.ResponseWriter, r *http.Request) {}

func Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("DELETE /items/{id}", remove)
	return mux
}

func remove(w http.ResponseWriter, r *http.Request) {}
