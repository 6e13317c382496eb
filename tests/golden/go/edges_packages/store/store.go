package store

const Limit = 3

type Store struct {
	name string
}

func Open(name string) *Store {
	return newStore(name)
}

func (s *Store) Find(id int) string {
	return s.name + lookup(id)
}
