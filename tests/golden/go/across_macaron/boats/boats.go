package boats

import "gopkg.in/macaron.v1"

const one = "/boats"

func Routes(m *macaron.Macaron) {
	m.Get(one+"/:id", boat)
}
