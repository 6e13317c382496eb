package store

type Finder interface {
	Find(id int) *Item
	Close() error
}

type Item struct {
	Name  string
	Owner *Owner
}

type Owner struct{}

func (o *Owner) Mail() string { return "" }

type Memory struct {
	items map[int]*Item
}

func New() *Memory { return &Memory{} }

func (m *Memory) Find(id int) *Item { return m.items[id] }
