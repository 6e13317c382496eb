package handler

import (
	"context"

	"github.com/go-openapi/runtime/middleware"
)

type thingsAPI struct{ ctl Controller }

func (a *thingsAPI) ListThings(ctx context.Context, params operation.ListThingsParams) middleware.Responder {
	return nil
}

type Controller struct{}

func (c *Controller) CreateThing(ctx context.Context, t Thing) error { return nil }
