; framework: bullmq   needs: "'bull" "/bull"
; emits: topic.provides
; new Worker('emails', f)
((new_expression
  constructor: (_) @_type
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#match? @_type "(^|\\.)(Worker)$")
  (#not-match? @path "[./]")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; new Queue('emails'), new FlowProducer()
((new_expression
  constructor: (_) @_type
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#match? @_type "(^|\\.)(Queue)$")
  (#not-match? @path "[./]")
  (#set! method "PUBLISH"))
