; framework: kafka   needs: "Confluent.Kafka"   emits: topic.consumes

; producer.ProduceAsync("orders", message), producer.Produce("orders", message, handler)
((invocation_expression
  function: (member_access_expression name: (identifier) @_produce)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument))) @site
  (#match? @_produce "^Produce(Async)?$")
  (#set! method "PUBLISH"))
