; The bodies of `; rows NAME` (../ROUTES.md).

; What is a client: made so, called so, or of such a type.
; shape client MADE NAMED TYPED
(assignment left: [(identifier) (attribute)] @bind right: [(call) (await)] @_make (#match? @_make "$MADE"))
(as_pattern [(call) (await)] @_make alias: (as_pattern_target (identifier) @bind) (#match? @_make "$MADE"))
(parameters (identifier) @bind (#match? @bind "$NAMED"))
(parameters (default_parameter name: (identifier) @bind) (#match? @bind "$NAMED"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "$TYPED"))
; end

; What is not followed, but says what it is: self.redis, get_redis(), app.state.redis_client
; shape unfollowed OBJECT CALLS
((call function: (attribute object: [(attribute) (call) (subscript)] @_object attribute: (identifier) @_call)) @site
  (#any-of? @_call $CALLS)
  (#match? @_object "$OBJECT")
  (#set! anyone ""))
; end

; client.publish("orders", message)
; shape calls METHOD CALLS STYLE
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript) (concatenated_string)] @path)) @site
  (#any-of? @_call $CALLS)
  (#set! style "$STYLE")
  (#set! method "$METHOD"))
; end

; client.publish(topic=path)
; shape keywords METHOD CALLS KEY STYLE
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call $CALLS)
  (#eq? @_key "$KEY")
  (#set! style "$STYLE")
  (#set! method "$METHOD"))
; end
