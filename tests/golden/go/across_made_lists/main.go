package main

import "net/http"

type route struct {
	path   string
	handle http.HandlerFunc
}

var routes = []route{{"/a", h}, {"/b", h}}

func h(w http.ResponseWriter, r *http.Request) {}

func main() {
	mux := http.NewServeMux()
	for i := range routes {
		mux.HandleFunc("/range"+routes[i].path, routes[i].handle)
	}
	for i := 0; i < len(routes); i++ {
		mux.HandleFunc("/count"+routes[i].path, routes[i].handle)
	}
}
