; framework: kafka   needs: "rdkafka"
; emits: topic.provides
; consumer.subscribe(&["orders"])
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . (reference_expression (array_expression [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)))) @site
  (#eq? @_call "subscribe")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; FutureRecord::to("orders"), BaseRecord::to("orders")
((call_expression
  function: (scoped_identifier path: (_) @_record name: (identifier) @_to)
  arguments: (arguments . (_) @path .)) @site
  (#match? @_record "(Future|Base)Record$")
  (#eq? @_to "to")
  (#set! method "PUBLISH"))
