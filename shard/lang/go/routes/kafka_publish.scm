; framework: kafka   needs: "sarama" "kafka-go" "confluent-kafka"   emits: topic.consumes

; &sarama.ProducerMessage{Topic: "orders"}, kafka.Writer{Topic: "orders"}, kafka.WriterConfig{}, kafka.Message{}, kafka.TopicPartition{Topic: &topic}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element [
      (interpreted_string_literal) @path (raw_string_literal) @path (identifier) @path (selector_expression) @path
      (binary_expression) @path (unary_expression operand: (_) @path)])))) @site
  (#match? @_type "(ProducerMessage|[kK]afka[a-z]*\\.(Writer|WriterConfig|Message|TopicPartition))$")
  (#eq? @_key "Topic")
  (#set! method "PUBLISH"))
