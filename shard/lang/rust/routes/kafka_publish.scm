; framework: kafka   needs: "rdkafka"   emits: topic.consumes

; FutureRecord::to("orders"), BaseRecord::to("orders")
((call_expression
  function: (scoped_identifier path: (_) @_record name: (identifier) @_to)
  arguments: (arguments . (_) @path .)) @site
  (#match? @_record "(Future|Base)Record$")
  (#eq? @_to "to")
  (#set! method "PUBLISH"))
