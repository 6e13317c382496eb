; framework: sqs   needs: "SqsTemplate" "SqsClient" "AmazonSQS" "SqsAsyncClient" "QueueMessagingTemplate"   emits: topic.consumes

; sqsTemplate.send("orders", m), SendMessageRequest.builder().queueUrl(url)
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
  (#any-of? @_call "send" "convertAndSend")
  (#match? @_object "(?i)(sqs|queueMessaging)Template")
  (#set! style "aws")
  (#set! method "PUBLISH"))
