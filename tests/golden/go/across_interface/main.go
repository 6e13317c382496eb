package main

import "example.com/shop/client"

type service struct{ api client.API }

func (s *service) user(id string) {
	s.api.Get("/users/" + id)
	s.api.Do("PUT", "/users/"+id+"/name", nil)
}

func main() {
	(&service{api: client.New()}).user("1")
}
