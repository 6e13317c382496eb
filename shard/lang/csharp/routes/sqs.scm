; framework: sqs   needs: "Amazon.SQS" "Amazon.SimpleNotificationService"
; emits: topic.provides
; new ReceiveMessageRequest { QueueUrl = url }, sqs.ReceiveMessageAsync(url)
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#match? @_type "(^|\\.)ReceiveMessageRequest$")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .))) @site
  (#eq? @_call "ReceiveMessageAsync")
  (#not-match? @path "(?i)request$")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; new SendMessageRequest { QueueUrl = url }, sqs.SendMessageAsync(url, body)
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#match? @_type "(^|\\.)SendMessage(Batch)?Request$")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument))) @site
  (#any-of? @_call "SendMessageAsync" "SendMessageBatchAsync")
  (#not-match? @path "(?i)request$")
  (#set! style "aws")
  (#set! method "PUBLISH"))
