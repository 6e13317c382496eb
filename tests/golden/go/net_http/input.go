package main

import (
	"fmt"
	"net/http"
)

const base = "http://users:8080"

type server struct {
	client *http.Client
}

func routes(mux *http.ServeMux, s *server) {
	mux.HandleFunc("GET /items/{id}", s.item)
	mux.HandleFunc("POST /items/{$}", add)
	http.Handle("/static/", http.FileServer(nil))
	http.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {})
	mux.Handle("example.com/hosted/{rest...}", nil)
	events.Handle("name", add)
}

func (s *server) item(w http.ResponseWriter, r *http.Request) {
	w.Header().Get("/nothing")
	r.URL.Query().Get("/nothing")
}

func add(w http.ResponseWriter, r *http.Request) {}

func load(id int, client *http.Client, unknown string) {
	http.Get(base + "/users")
	client.Post(fmt.Sprintf("%s/users/%d/notes", base, id), "text/plain", nil)
	http.PostForm("http://forms/f", nil)
	req, _ := http.NewRequest(http.MethodPut, base+"/users/"+unknown, nil)
	http.NewRequestWithContext(ctx, "DELETE", fmt.Sprintf("http://%s/x", unknown), nil)
	http.Get(unknown)
	cache.Get("/nothing")
	// http.Get("/comment")
}
