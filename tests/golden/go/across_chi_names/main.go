package main

import (
	"net/http"

	"example.com/shop/routes"
	"github.com/go-chi/chi/v5"
)

type API struct{ prefix string }

func main() {
	r := chi.NewRouter()
	r.Route("/users", routes.Users)
	r.Route("/named", func(r chi.Router) { r.Get("/x", x) })
	r.Route("/method", (&API{}).Items)
	api := &API{}
	r.Route("/api", func(r chi.Router) {
		r.Group(func(r chi.Router) {
			r.Use(auth)
			r.Mount("/orders", routes.Orders())
			r.Mount("/items2", api.Router())
			r.Route("/deep", api.Deep)
		})
	})
	local(r)
	http.ListenAndServe(":80", r)
}

func local(r chi.Router) {
	r.With(auth).Get("/local/{id:[0-9]+}", x)
	r.Handle("/metrics", promhttp.Handler())
	r.Method(http.MethodPut, "/put", http.HandlerFunc(x))
}

func (a *API) Items(r chi.Router) { r.Get("/list", a.list) }
func (a *API) Deep(r chi.Router) { r.Get("/deeper", a.list) }
func (a *API) Router() http.Handler {
	r := chi.NewRouter()
	r.Get("/", a.list)
	r.Delete("/{id}", a.list)
	return r
}
