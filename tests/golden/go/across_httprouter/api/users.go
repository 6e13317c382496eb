package api

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

const (
	Root     = "/v1"
	UserPath = Root + "/users/:id"
)

type Users struct{}

func (*Users) Get(w http.ResponseWriter, r *http.Request, p httprouter.Params) {}

func (*Users) Add(w http.ResponseWriter, r *http.Request) {}
