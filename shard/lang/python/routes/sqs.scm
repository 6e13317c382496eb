; framework: sqs   needs: "boto3" "aioboto3" "aiobotocore"

; queue = boto3.resource("sqs").get_queue_by_name(QueueName="orders"): queue.receive_messages()
((call
    function: (attribute attribute: (identifier) @_get)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#any-of? @_get "get_queue_by_name" "create_queue")
  (#eq? @_key "QueueName"))
((call
    function: (attribute attribute: (identifier) @_get)
    arguments: (argument_list . [(string) (identifier) (attribute) (subscript) (call)] @prefix .)) @instance
  (#eq? @_get "Queue"))

; emits: topic.provides
; sqs.receive_message(QueueUrl=url)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_call "receive_message")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call function: (attribute object: (_) @object attribute: (identifier) @_call)) @site
  (#eq? @_call "receive_messages")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; sqs.send_message(QueueUrl=url)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "send_message" "send_message_batch")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list) @_arguments) @site
  (#any-of? @_call "send_message" "send_messages")
  (#not-match? @_arguments "QueueUrl")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "PUBLISH"))
