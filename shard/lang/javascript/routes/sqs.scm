; framework: sqs
; emits: topic.provides   needs: "aws-sdk" "sqs-consumer"
; new ReceiveMessageCommand({ QueueUrl: url }), sqs.receiveMessage({ QueueUrl: url }), Consumer.create({ queueUrl: url })
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (_) @options)) @site
  (#match? @_type "(^|\\.)ReceiveMessageCommand$")
  (#set! path "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @path)
    ((shorthand_property_identifier) @_key @path)]))) @site
  (#eq? @_call "receiveMessage")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @path)
    ((shorthand_property_identifier) @_key @path)]))) @site
  (#eq? @_call "create")
  (#eq? @_key "queueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "aws-sdk" "sqs-producer"
; new SendMessageCommand({ QueueUrl: url }), sqs.sendMessage({ QueueUrl: url })
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (_) @options)) @site
  (#match? @_type "(^|\\.)(SendMessageCommand|SendMessageBatchCommand)$")
  (#set! path "QueueUrl")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @path)
    ((shorthand_property_identifier) @_key @path)]))) @site
  (#any-of? @_call "sendMessage" "sendMessageBatch")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "PUBLISH"))
