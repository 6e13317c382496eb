package web

import "net/http"

type Registrar interface {
	Register(method, path string, h http.HandlerFunc)
}

type MuxRegistrar struct{ mux *http.ServeMux }

func (r *MuxRegistrar) Register(method, path string, h http.HandlerFunc) {
	r.mux.Handle(path, guarded(method, h))
}
