; framework: sqs   needs: "boto3" "aioboto3" "aiobotocore"   emits: topic.consumes

; sqs.send_message(QueueUrl=url), sns.publish(TopicArn=arn)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "send_message" "send_message_batch" "publish" "publish_batch")
  (#any-of? @_key "QueueUrl" "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
