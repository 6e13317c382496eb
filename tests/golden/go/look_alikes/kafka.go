package alike

import "github.com/segmentio/kafka-go"

type note struct{ Topic string }

type feed struct{}

func (feed) Subscribe(name string)         {}
func (feed) Consume(name string, n int)    {}
func (feed) Send(topic, text string) error { return nil }

func kafkaNot(f feed, r *kafka.Reader) {
	f.Subscribe("orders")
	f.Consume("orders", 1)
	f.Send("orders", "x")
	_ = note{Topic: "orders"}
	_ = kafka.TopicConfig{Topic: "orders", NumPartitions: 1}
	r.SetOffset(0)
}
