; framework: sns   needs: "SnsClient" "SnsTemplate" "AmazonSNS" "SnsAsyncClient" "NotificationMessagingTemplate"   emits: topic.consumes

; PublishRequest.builder().topicArn(arn), snsTemplate.sendNotification("orders", m), new PublishRequest(arn, m)
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "topicArn")
  (#match? @_object "^PublishRequest")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path . (_))) @site
  (#any-of? @_call "send" "convertAndSend" "sendNotification")
  (#match? @_object "(?i)(sns|notificationMessaging|notification)Template")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path . (_))) @site
  (#eq? @_type "PublishRequest")
  (#set! style "aws")
  (#set! method "PUBLISH"))
