package shapes

type Drawer interface {
	Draw() error
}

type Base struct{ id int }

func (b *Base) ID() int { return b.id }

type Circle struct {
	Base
	next Drawer
}

func (c *Circle) Draw() error {
	c.ID()
	return c.next.Draw()
}

var _ Drawer = (*Circle)(nil)

func All(list []*Circle, d Drawer) {
	for _, c := range list {
		c.Draw()
	}
	d.Draw()
	byID := map[int]*Circle{}
	byID[0].ID()
}
