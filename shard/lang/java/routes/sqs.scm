; framework: sqs
; emits: topic.provides   needs: "SqsListener" "SqsClient" "AmazonSQS" "SqsAsyncClient"
; @SqsListener("orders"), ReceiveMessageRequest.builder().queueUrl(url)
((annotation name: (identifier) @_listener arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#eq? @_listener "SqsListener")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((annotation name: (identifier) @_listener arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: [(string_literal) @path (identifier) @path (field_access) @path (element_value_array_initializer (_) @path)]))) @site
  (#eq? @_listener "SqsListener")
  (#any-of? @_key "value" "queueNames")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "queueUrl")
  (#match? @_object "^ReceiveMessageRequest")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "SqsTemplate" "SqsClient" "AmazonSQS" "SqsAsyncClient" "QueueMessagingTemplate"
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
