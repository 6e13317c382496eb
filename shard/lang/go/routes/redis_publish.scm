; framework: redis   needs: "go-redis" "redigo" "rueidis"   emits: topic.consumes

; rdb.Publish(ctx, "orders", message), rdb.RPush(ctx, "votes", v), rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders"})
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Publish" "SPublish" "RPush" "LPush")
  (#set! method "PUBLISH"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(XAddArgs)$")
  (#eq? @_key "Stream")
  (#set! method "PUBLISH"))
