package main

import (
	"net/http"

	restful "github.com/emicklei/go-restful/v3"

	"example.com/restful/users"
)

func main() {
	restful.DefaultContainer.Add(users.New("/api/users").WebService())
	http.ListenAndServe(":8080", nil)
}
