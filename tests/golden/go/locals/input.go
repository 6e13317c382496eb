package shop

const limit = 3

func work(ctx context.Context, users []*User, names ...string) (out Result, err error) {
	s, err := Open(ctx)
	a, b := First(), Second()
	var c, d Kind
	var e = new(Engine)
	f := make(map[string]Item, limit)
	for i, user := range users {
		user.Touch(i)
	}
	for key := range f {
		key.Go()
	}
	if n, ok := f["x"]; ok {
		n.Go()
	}
	switch v := s.Value().(type) {
	case *User:
		v.Touch()
	}
	select {
	case msg := <-s.C:
		msg.Go()
	}
	a = b
	out.Add(c, d, e)
	each := func(x Item) { x.Do(s) }
	each(f["y"])
	err.Error()
	return out, nil
}
