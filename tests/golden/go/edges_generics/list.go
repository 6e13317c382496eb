package gen

type Item struct{}

func (i Item) Touch() {}

type List[T any] struct{ items []T }

func New[T any]() *List[T] { return &List[T]{} }

func (l *List[T]) Push(v T) { l.items = append(l.items, v) }

func use() {
	l := New[Item]()
	l.Push(Item{})
	items := []Item{}
	items[0].Touch()
	func() { (&items[0]).Touch() }()
}
