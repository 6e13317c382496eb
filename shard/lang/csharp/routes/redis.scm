; framework: redis   needs: "StackExchange.Redis"

(parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind) (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(property_declaration type: (_) @_type name: (identifier) @bind (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "\\.Get(Subscriber|Database)\\("))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "\\.Get(Subscriber|Database)\\("))

; emits: topic.provides
; subscriber.Subscribe("orders", handler), db.ListLeftPopAsync("votes"), db.StreamReadGroup("orders", ...)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "Subscribe" "SubscribeAsync")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "ListLeftPop" "ListLeftPopAsync" "ListRightPop" "ListRightPopAsync" "StreamRead" "StreamReadAsync" "StreamReadGroup" "StreamReadGroupAsync")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is.
((invocation_expression
  function: (member_access_expression expression: [(member_access_expression) (invocation_expression)] @_object name: (identifier) @_call)) @site
  (#any-of? @_call "Subscribe" "SubscribeAsync" "ListLeftPop" "ListLeftPopAsync" "ListRightPop" "ListRightPopAsync" "StreamRead" "StreamReadAsync" "StreamReadGroup" "StreamReadGroupAsync")
  (#match? @_object "(?i)redis\\w*$|Get(Subscriber|Database)\\(\\w*\\)$")
  (#set! anyone ""))

; emits: topic.consumes
; subscriber.Publish("orders", message), db.ListRightPush("votes", v), db.StreamAdd("orders", ...)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "Publish" "PublishAsync" "ListLeftPush" "ListLeftPushAsync" "ListRightPush" "ListRightPushAsync" "StreamAdd" "StreamAddAsync")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is.
((invocation_expression
  function: (member_access_expression expression: [(member_access_expression) (invocation_expression)] @_object name: (identifier) @_call)) @site
  (#any-of? @_call "Publish" "PublishAsync" "ListLeftPush" "ListLeftPushAsync" "ListRightPush" "ListRightPushAsync" "StreamAdd" "StreamAddAsync")
  (#match? @_object "(?i)redis\\w*$|Get(Subscriber|Database)\\(\\w*\\)$")
  (#set! anyone ""))
