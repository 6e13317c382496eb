package b

type B struct{}

func (B) Close() {}

func Load() B { return B{} }
