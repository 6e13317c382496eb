package main

import (
	"gopkg.in/macaron.v1"

	"example.com/boats/boats"
)

func main() {
	m := macaron.New()
	m.Group("/api", func() {
		boats.Routes(m)
	})
}
