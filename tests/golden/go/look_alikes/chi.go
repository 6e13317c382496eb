package alike

import "github.com/go-chi/chi/v5"

type store struct{}

func (s store) Get(key string, fallback any) any { return nil }

func chiNot(r *chi.Context, s store) {
	s.Get("key", nil)
	chi.URLParam(nil, "id")
	r.URLParam("id")
}
