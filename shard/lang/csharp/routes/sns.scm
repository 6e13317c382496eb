; framework: sns
; emits: topic.consumes   needs: "Amazon.SQS" "Amazon.SimpleNotificationService"
; new PublishRequest { TopicArn = arn }, new PublishRequest(arn, message), sns.PublishAsync(arn, message)
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#match? @_type "(^|\\.)Publish(Batch)?Request$")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument))) @site
  (#match? @_type "(^|\\.)PublishRequest$")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression expression: (_) @_object name: (identifier) @_call)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument))) @site
  (#eq? @_call "PublishAsync")
  (#match? @_object "(?i)sns|notification")
  (#not-match? @path "(?i)request$")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; emits: topic.forwards   needs: "Amazon.SimpleNotificationService"
; new SubscribeRequest { TopicArn = arn, Protocol = "sqs", Endpoint = queueArn }, new SubscribeRequest(arn, "sqs", queueArn), sns.SubscribeAsync(arn, "sqs", queueArn)
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path)) @_all) @site
  (#match? @_type "(^|\\.)SubscribeRequest$")
  (#eq? @_key "TopicArn")
  (#match? @_all "Protocol\\s*=\\s*\"sqs\"")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @queue))) @site
  (#match? @_type "(^|\\.)SubscribeRequest$")
  (#eq? @_key "Endpoint"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument . (_) @path .) . (argument . (string_literal) @_sqs .) . (argument . (_) @queue .))) @site
  (#match? @_type "(^|\\.)SubscribeRequest$")
  (#eq? @_sqs "\"sqs\"")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list . (argument . (_) @path .) . (argument . (string_literal) @_sqs .) . (argument . (_) @queue .))) @site
  (#eq? @_call "SubscribeAsync")
  (#eq? @_sqs "\"sqs\"")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
