; framework: redis   needs: "StackExchange.Redis"   emits: topic.provides

; subscriber.Subscribe("orders", handler), db.ListLeftPopAsync("votes"), db.StreamReadGroup("orders", ...)
((invocation_expression
  function: (member_access_expression expression: (_) @_object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "Subscribe" "SubscribeAsync")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression expression: (_) @_object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "ListLeftPop" "ListLeftPopAsync" "ListRightPop" "ListRightPopAsync" "StreamRead" "StreamReadAsync" "StreamReadGroup" "StreamReadGroupAsync")
  (#set! method "SUBSCRIBE"))
