package client

type Options struct{ Page int }

func New() *Options { return &Options{} }
