package core

type Shape interface{ Area() float64 }

type Base struct{}

func (b *Base) Name() string { return "" }

type Square struct{ *Base }

func (s *Square) Area() float64 { return 1 }
func (s *Square) Grow() *Square { return s }
func (s *Square) Name() string  { return s.Base.Name() }

type Circle struct{}

func (c *Circle) Turn() {}

type Store[T Shape] struct{ items []T }

func (s *Store[T]) First() (T, error) { return s.items[0], nil }
func (s *Store[T]) Total() float64    { return s.items[0].Area() }

func Each[T Shape](list []T) {
	for _, t := range list {
		t.Area()
	}
}
