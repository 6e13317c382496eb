package a

type A struct{}

func (A) Close() {}

func Load() A { return A{} }
