package a
import "net/http"
type Endpoint interface { Method() string; Path() string }
type GetUser struct { ID string }
func (g GetUser) Method() string { return http.MethodGet }
func (g GetUser) Path() string { return "/users/" + g.ID }
type CreateUser struct { Name string }
func (c *CreateUser) Method() string { return "POST" }
func (c *CreateUser) Path() string { return "/users" }
type Api struct { base string }
func (a *Api) send(e Endpoint) {
	req, _ := http.NewRequest(e.Method(), a.base + e.Path(), nil)
	http.DefaultClient.Do(req)
}
func (a *Api) GetUser(id string) { a.send(GetUser{ID: id}) }
func (a *Api) CreateUser(n string) { a.send(&CreateUser{Name: n}) }
