package main

import restful "github.com/emicklei/go-restful/v3"

func (u *Users) service() *restful.WebService {
	ws := new(restful.WebService)
	ws.Path("/users").Consumes(restful.MIME_JSON)
	ws.Route(ws.GET("/").To(u.all))
	ws.Route(ws.PUT("/{id}").To(u.put).Doc("put"))
	cache.GET("nothing")
	return ws
}

func (u *Users) all(request *restful.Request, response *restful.Response) {}
