; framework: redis   needs: "go-redis" "redigo" "rueidis"

(parameter_declaration name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?\\w*(redis|rueidis)\\w*\\.(Client|UniversalClient|Cmdable|ClusterClient|Ring|Conn|Pipeliner)$"))
(field_declaration name: (field_identifier) @bind type: (_) @_type (#match? @_type "^\\*?\\w*(redis|rueidis)\\w*\\.(Client|UniversalClient|Cmdable|ClusterClient|Ring|Conn|Pipeliner)$"))
(var_spec name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?\\w*(redis|rueidis)\\w*\\.(Client|UniversalClient|Cmdable|ClusterClient|Ring|Conn|Pipeliner)$"))
((call_expression function: (_) @_make) @instance (#match? @_make "(redis|rueidis)\\w*\\.New\\w*Client$"))

; emits: topic.provides
; rdb.Subscribe(ctx, "orders"), rdb.BLPop(ctx, 0, "votes"), rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Streams: []string{"orders", ">"}})
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Subscribe" "PSubscribe" "SSubscribe")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . (_) . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "BLPop" "BRPop")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
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

; emits: topic.consumes
; rdb.Publish(ctx, "orders", message), rdb.RPush(ctx, "votes", v), rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders"})
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
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
