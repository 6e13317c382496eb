; framework: sqs   needs: "SqsTemplate" "SqsClient" "AmazonSQS" "SnsClient" "SnsTemplate" "SqsAsyncClient" "QueueMessagingTemplate"   emits: topic.consumes

; sqsTemplate.send("orders", m), SendMessageRequest.builder().queueUrl(url), PublishRequest.builder().topicArn(arn)
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "queueUrl")
  (#match? @_object "^SendMessageRequest")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "topicArn")
  (#match? @_object "^PublishRequest")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "send" "convertAndSend" "sendNotification")
  (#match? @_object "(?i)(sqs|sns|queueMessaging)Template")
  (#set! style "aws")
  (#set! method "PUBLISH"))
