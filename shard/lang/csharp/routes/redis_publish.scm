; framework: redis   needs: "StackExchange.Redis"   emits: topic.consumes

; subscriber.Publish("orders", message), db.ListRightPush("votes", v), db.StreamAdd("orders", ...)
((invocation_expression
  function: (member_access_expression expression: (_) @_object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "Publish" "PublishAsync" "ListLeftPush" "ListLeftPushAsync" "ListRightPush" "ListRightPushAsync" "StreamAdd" "StreamAddAsync")
  (#set! method "PUBLISH"))
