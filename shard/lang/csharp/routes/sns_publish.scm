; framework: sns   needs: "Amazon.SQS" "Amazon.SimpleNotificationService"   emits: topic.consumes

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
