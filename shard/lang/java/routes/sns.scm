; framework: sns
; emits: topic.consumes   needs: "SnsClient" "SnsTemplate" "AmazonSNS" "SnsAsyncClient" "NotificationMessagingTemplate"
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

; emits: topic.forwards   needs: "SubscribeRequest" "Topics.subscribeQueue" "AmazonSNS"
; SubscribeRequest.builder().topicArn(arn).protocol("sqs").endpoint(queueArn), up to four steps before
; each BEFORE BEHIND
;   |
;   (method_invocation object: | )
;   (method_invocation object: (method_invocation object: | ))
;   (method_invocation object: (method_invocation object: (method_invocation object: | )))
; each CALL ROLE
;   topicArn | path
;   endpoint | queue
((method_invocation
  object: $BEFORE(method_invocation object: (identifier) @_request name: (identifier) @_builder) @site$BEHIND
  name: (identifier) @_call
  arguments: (argument_list . (_) @$ROLE))
  (#eq? @_request "SubscribeRequest")
  (#eq? @_builder "builder")
  (#eq? @_call "$CALL")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
; end
; end

; new SubscribeRequest(arn, "sqs", queueArn), sns.subscribe(arn, "sqs", queueArn), Topics.subscribeQueue(sns, sqs, arn, queueUrl)
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (_) @path . (string_literal) @_sqs . (_) @queue)) @site
  (#eq? @_type "SubscribeRequest")
  (#eq? @_sqs "\"sqs\"")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((method_invocation
  name: (identifier) @_call
  arguments: (argument_list . (_) @path . (string_literal) @_sqs . (_) @queue)) @site
  (#eq? @_call "subscribe")
  (#eq? @_sqs "\"sqs\"")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (identifier) @_topics name: (identifier) @_call
  arguments: (argument_list . (_) . (_) . (_) @path . (_) @queue)) @site
  (#eq? @_topics "Topics")
  (#eq? @_call "subscribeQueue")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
