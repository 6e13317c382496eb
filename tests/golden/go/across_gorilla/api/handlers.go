package api

import "net/http"

const usersPath = "/users"

func show(w http.ResponseWriter, r *http.Request) {}
