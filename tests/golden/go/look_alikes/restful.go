package alike

import restful "github.com/emicklei/go-restful/v3"

type shelf struct{}

func (shelf) GET(key string) string { return "" }
func (shelf) Path(p string) shelf   { return shelf{} }

func restfulNot(request *restful.Request, s shelf) {
	request.PathParameter("/x")
	request.QueryParameter("/y")
	s.GET("/not/a/route")
	s.Path("/not/a/prefix")
}
