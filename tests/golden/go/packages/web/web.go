package web

import (
	"fmt"

	db "example.com/shop/store"
)

type Server struct {
	db.Memory
	finder db.Finder
}

func (s *Server) Handle(id int) {
	item := s.finder.Find(id)
	item.Owner.Mail()
	s.Find(id)
	fmt.Println(item)
	local := db.New()
	defer local.Close()
	for _, x := range []*db.Item{item} {
		x.Owner.Mail()
	}
}

func New() *Server { return &Server{finder: db.New()} }
