; framework: sns   needs: "Amazon.SimpleNotificationService"   emits: topic.forwards

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
