; framework: redis   needs: "redis" "Redis" "Predis"
; emits: topic.provides
; $redis->subscribe(["orders"], $f), $redis->blpop("votes", 0)
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path))))) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#match? @_object "(?i)redis")
  (#set! method "SUBSCRIBE"))
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#any-of? @_call "blPop" "brPop" "blpop" "brpop" "lPop" "rPop" "lpop" "rpop")
  (#match? @_object "(?i)redis|client")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; $redis->publish("orders", $m), $redis->rPush("votes", $v)
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#any-of? @_call "publish" "xAdd" "xadd" "rPush" "lPush" "rpush" "lpush")
  (#match? @_object "(?i)redis|client")
  (#set! method "PUBLISH"))
