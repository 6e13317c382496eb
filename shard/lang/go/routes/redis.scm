; framework: redis   needs: "go-redis" "redigo" "rueidis"   emits: topic.provides

; rdb.Subscribe(ctx, "orders"), rdb.BLPop(ctx, 0, "votes"), rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Streams: []string{"orders", ">"}})
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Subscribe" "PSubscribe" "SSubscribe")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . (_) . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "BLPop" "BRPop")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "LPop" "RPop")
  (#set! method "SUBSCRIBE"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (composite_literal body: (literal_value . (literal_element (_) @path))))))) @site
  (#match? @_type "XRead(Group)?Args$")
  (#eq? @_key "Streams")
  (#set! method "SUBSCRIBE"))
