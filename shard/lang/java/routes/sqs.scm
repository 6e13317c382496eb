; framework: sqs   needs: "SqsListener" "SqsClient" "AmazonSQS" "SqsAsyncClient"   emits: topic.provides

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
