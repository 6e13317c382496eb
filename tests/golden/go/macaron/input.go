package main

import "gopkg.in/macaron.v1"

func routes(m *macaron.Macaron) {
	m.Get("/", home)
	m.Group("/boats", func() {
		m.Combo("").Get(boats).Post(bind(Boat{}), add)
		m.Group("/:id", func() {
			m.Delete("/sails", auth, strike)
		})
	}, signedIn)
	c.Get("/nothing", x)
}
