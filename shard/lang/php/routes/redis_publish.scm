; framework: redis   needs: "redis" "Redis" "Predis"   emits: topic.consumes

; $redis->publish("orders", $m), $redis->rPush("votes", $v)
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#any-of? @_call "publish" "xAdd" "xadd" "rPush" "lPush" "rpush" "lpush")
  (#match? @_object "(?i)redis|client")
  (#set! method "PUBLISH"))
