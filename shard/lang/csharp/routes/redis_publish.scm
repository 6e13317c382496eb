; framework: redis   needs: "StackExchange.Redis"   emits: topic.consumes

(parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind) (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(property_declaration type: (_) @_type name: (identifier) @bind (#match? @_type "^(ISubscriber|IDatabase(Async)?)$"))
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "\\.Get(Subscriber|Database)\\("))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "\\.Get(Subscriber|Database)\\("))

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
