package kit

import "example.org/kit/v2/store"

const Limit = 3

var Default = New(Limit)

type Option func(*Client)

type Client struct {
	store.Base
	Name  string
	Items []Item
	Meta  map[string]*Item
}

type Item struct{ ID int }

func (i Item) Label() string { return "" }

type Sender interface {
	Send(text string) (*Reply, error)
}

type Reply struct{ Body Text }

type Text string

func (t Text) Upper() string { return string(t) }

func New(n int, options ...Option) *Client { return nil }

func (c *Client) Send(text string) (*Reply, error) { return nil, nil }

func (c *Client) Sub() *store.Store { return nil }

func Map[T any](list []T, f func(T) T) []T { return nil }

func First[T any](list []T) T { return list[0] }
