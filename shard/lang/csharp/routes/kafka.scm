; framework: kafka   needs: "Confluent.Kafka"   emits: topic.provides

; consumer.Subscribe("orders"), Subscribe(new[] { "orders" })
((invocation_expression
  function: (member_access_expression name: (identifier) @_subscribe)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) .)) @site
  (#eq? @_subscribe "Subscribe")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_subscribe)
  arguments: (argument_list . (argument (_ (initializer_expression (_) @path))))) @site
  (#eq? @_subscribe "Subscribe")
  (#set! method "SUBSCRIBE"))
