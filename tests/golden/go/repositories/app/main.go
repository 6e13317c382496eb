package main

import (
	"fmt"

	"example.org/kit/plugin"
	kit "example.org/kit/v2"
	"example.org/kit/v2/store"
	forked "example.org/fork/kit"
	"example.org/missing/kit2"
)

type wrapper struct {
	*kit.Client
	sender kit.Sender
	err    error
}

func (w *wrapper) run(unknown interface{ Send(string) }) error {
	client := kit.New(kit.Limit)
	reply, err := client.Send("a")
	reply.Body.Upper()
	client.Close()
	w.Send("b")
	w.sender.Send("c")
	s, _ := store.Open(client.Path)
	s.Get("d")
	client.Sub().Get("e")
	for _, item := range client.Items {
		item.Label()
	}
	client.Meta["x"].Label()
	kit.First(client.Items).Label()
	plug.Load().Run()
	forked.New(1).Send("f")
	kit2.New(1).Send("g")
	new(Client).Send("h")
	unknown.Send("i")
	Open()
	kit.Default.Name = fmt.Sprint(&kit.Item{ID: 1})
	var option kit.Option = func(c *kit.Client) { c.Send("j") }
	_ = option
	return err
}

var _ kit.Sender = (*wrapper)(nil)
