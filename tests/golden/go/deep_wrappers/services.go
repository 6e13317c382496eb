package client

type Orders struct {
	*API
}

func (o *Orders) Get(id string) error {
	return o.API.Get("/orders/" + id)
}

func (o *Orders) List() error {
	return o.API.Get("/orders")
}

type Users struct {
	*API
}

func (u *Users) Create() error {
	return u.Post("/users")
}

func (u *Users) One(id string) error {
	return u.Get("/users/" + id)
}
