; framework: sqs   needs: "boto3" "aioboto3" "aiobotocore"   emits: topic.provides

; sqs.receive_message(QueueUrl=url)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_call "receive_message")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
