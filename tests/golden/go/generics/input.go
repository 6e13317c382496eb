package shop

type List[T any] struct {
	head *node[T]
}

type Number interface {
	~int | ~float64
}

func Map[T, U any](in List[T], f func(T) U) List[U] {
	out := NewList[U]()
	for _, v := range in.All() {
		out.Push(f(v))
	}
	return out
}

func use() {
	users := Map[ID, User](ids(), load)
	users.Push(User{})
}
