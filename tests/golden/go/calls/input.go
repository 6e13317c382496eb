package shop

import "shop/store"

var db = store.Open("shop.db")

func Run(s *store.Store, done func(error)) {
	s.Find("a", 1)
	s.Users().First().Name.Trim()
	items[0].Close()
	done(nil)
	(*s).Flush()
	go worker(s)
	defer s.Close()
	fmt.Println(append(list, more...)...)
	handle("/x", serve)
	v := s.Any().(*User)
	v.Touch()
	func() { inner() }()
	ErrNone.Error()
}

func (s *Server) Serve() error {
	s.log.Print(s.name)
	return s.next.Serve()
}
