package main

import "net/http"

// Server has one that hands its pattern on.
type Server struct{ mux *http.ServeMux }

func (s *Server) Handle(pattern string, h http.Handler) { s.mux.Handle("/v1"+pattern, h) }

func serve(s *Server, b *Bus, h http.Handler) {
	s.Handle("/orders", h)
	b.Handle("/order/paid", func() {})
	http.Handle("/plain", h)
}
