; framework: rabbitmq   needs: "pika"   emits: topic.provides

; channel.basic_consume(queue="orders", on_message_callback=f), basic_consume("orders", f)
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_consume "basic_consume" "consume")
  (#eq? @_key "queue")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list . [(string) (identifier) (attribute) (concatenated_string)] @path)) @site
  (#eq? @_consume "basic_consume")
  (#not-match? @path "callback|on_")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @handler))) @site
  (#eq? @_consume "basic_consume")
  (#eq? @_key "on_message_callback"))
