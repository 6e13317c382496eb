package users

import restful "github.com/emicklei/go-restful/v3"

const byID = "/{id}"

type Resource struct{ root string }

func New(root string) *Resource { return &Resource{root: root} }

func (u *Resource) WebService() *restful.WebService {
	ws := new(restful.WebService)
	ws.Path(u.root).Consumes(restful.MIME_JSON)
	ws.Route(ws.GET("").To(u.all))
	ws.Route(ws.PUT(byID).To(u.put).Doc("changes one"))
	return ws
}

func (u *Resource) all(request *restful.Request, response *restful.Response) {}

func (u *Resource) put(request *restful.Request, response *restful.Response) {}
