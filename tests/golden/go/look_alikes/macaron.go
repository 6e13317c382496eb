package alike

import "gopkg.in/macaron.v1"

func macaronNot(ctx *macaron.Context, s store) {
	ctx.Get("/nothing", 1)
	s.Get("key", nil)
	ctx.Redirect("/elsewhere")
}
