; framework: sqs   needs: "aws-sdk" "sqs-consumer"   emits: topic.consumes

; new SendMessageCommand({ QueueUrl: url }), new PublishCommand({ TopicArn: arn }), sns.publish({ TopicArn: arn })
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#match? @_type "(^|\\.)(SendMessageCommand|SendMessageBatchCommand|PublishCommand|PublishBatchCommand)$")
  (#any-of? @_key "QueueUrl" "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#any-of? @_call "sendMessage" "sendMessageBatch" "publish" "publishBatch")
  (#any-of? @_key "QueueUrl" "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
