// Package store keeps things.
package store

import (
	"testing"
)

// ErrGone says that it is gone.
var ErrGone = errors.New("gone")

const (
	// Small is small.
	Small = iota
	large
)

// Store keeps things.
type Store struct {
	Name, path string
	mu         sync.Mutex
	*Embedded
}

type (
	Key   string
	alias = int
)

// Reader reads.
type Reader interface {
	Read(key Key) ([]byte, error)
	io.Closer
}

// Open opens the store
// at path.
func Open(path string, opts ...Option) (*Store, error) {
	limit := 3
	return &Store{path: path}, nil
}

func (s *Store) Get(k Key) (v []byte, err error) { return nil, nil }

func (m *Map[K, V]) set(k K, v V) {
	m.v[k] = v
}

func TestOpen(t *testing.T) {
	Open("x")
}

func TestData() string {
	return "not a test"
}

func BenchmarkGet(b *testing.B) {}
