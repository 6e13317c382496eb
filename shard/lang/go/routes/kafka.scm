; framework: kafka   needs: "sarama" "kafka-go" "confluent-kafka"
; emits: topic.provides
; kafka.NewReader(kafka.ReaderConfig{Topic: "orders", GroupTopics: []string{"a"}})
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "ReaderConfig$")
  (#eq? @_key "Topic")
  (#set! method "SUBSCRIBE"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (composite_literal body: (literal_value (literal_element (_) @path))))))) @site
  (#match? @_type "ReaderConfig$")
  (#eq? @_key "GroupTopics")
  (#set! method "SUBSCRIBE"))

; sarama: group.Consume(ctx, []string{"orders"}, handler), consumer.ConsumePartition("orders", 0, offset); confluent: SubscribeTopics([]string{}), Subscribe("orders", nil)
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . (_) . (composite_literal
    type: (slice_type) body: (literal_value (literal_element (_) @path))) . (_) .)) @site
  (#eq? @_consume "Consume")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . (_) @path . (_) . (_) .)) @site
  (#eq? @_consume "ConsumePartition")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_subscribe)
  arguments: (argument_list . (composite_literal
    type: (slice_type) body: (literal_value (literal_element (_) @path))) . (_) .)) @site
  (#eq? @_subscribe "SubscribeTopics")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_subscribe)
  arguments: (argument_list . [(interpreted_string_literal) (identifier) (selector_expression)] @path . (nil) .)) @site
  (#eq? @_subscribe "Subscribe")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
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
