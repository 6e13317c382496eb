package web

import "example.com/shop/core"

type Page struct {
	store *core.Store[*core.Square]
	in    chan *core.Square
}

type Wrapped struct{ Page }

func (p *Page) argument() {
	s, _ := p.store.First()
	s.Grow()
}

func (p *Page) received() {
	s := <-p.in
	s.Grow()
}

func (p *Page) selected() {
	select {
	case s := <-p.in:
		s.Grow()
	}
}

func (p *Page) switched(shape any) {
	switch v := shape.(type) {
	case *core.Square:
		v.Grow()
	case *core.Circle:
		v.Turn()
	}
}

func (w Wrapped) embedded() { w.Page.argument() }
