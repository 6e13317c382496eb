; framework: kafka   needs: "rdkafka"   emits: topic.provides

; consumer.subscribe(&["orders"])
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . (reference_expression (array_expression [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)))) @site
  (#eq? @_call "subscribe")
  (#set! method "SUBSCRIBE"))
