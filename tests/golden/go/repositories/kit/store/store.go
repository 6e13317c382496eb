package store

type Base struct{ Path string }

func (b *Base) Close() error { return nil }

type Store struct{}

func Open(path string) (*Store, error) { return nil, nil }

func (s *Store) Get(key string) (value string, ok bool) { return "", false }
