package main

import (
	"net/http"

	"github.com/IBM/sarama"

	"example.com/vars/kafka"
)

func send(p sarama.SyncProducer) {
	msg := sarama.ProducerMessage{Topic: kafka.Topic}
	p.SendMessage(&msg)
	http.Get(kafka.Users + "/users")
}
