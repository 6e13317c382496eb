; framework: sns

; topic = boto3.resource("sns").create_topic(Name="orders"), sns.Topic(arn): topic.publish(Message=m)
((call
    function: (attribute attribute: (identifier) @_make)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#eq? @_make "create_topic")
  (#eq? @_key "Name"))
((call
    function: (attribute attribute: (identifier) @_make)
    arguments: (argument_list . [(string) (identifier) (attribute) (subscript) (call)] @prefix .)) @instance
  (#eq? @_make "Topic"))

; emits: topic.consumes   needs: "boto3" "aioboto3" "aiobotocore"
; sns.publish(TopicArn=arn)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "publish" "publish_batch")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key)) @_arguments) @site
  (#eq? @_call "publish")
  (#eq? @_key "Message")
  (#not-match? @_arguments "TopicArn")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; emits: topic.forwards   needs: "boto3" "aioboto3" "aiobotocore" "aws_cdk"
; sns.subscribe(TopicArn=arn, Protocol="sqs", Endpoint=queue_arn)
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path)) @_arguments) @site
  (#eq? @_call "subscribe")
  (#eq? @_key "TopicArn")
  (#match? @_arguments "Protocol\\s*=\\s*[\"']sqs[\"']")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @queue)) @_arguments) @site
  (#eq? @_call "subscribe")
  (#eq? @_key "Endpoint")
  (#match? @_arguments "Protocol\\s*=\\s*[\"']sqs[\"']"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list) @_arguments) @site
  (#eq? @_call "subscribe")
  (#match? @_arguments "Protocol\\s*=\\s*[\"']sqs[\"']")
  (#not-match? @_arguments "TopicArn")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; CDK: topic.add_subscription(subscriptions.SqsSubscription(queue))
((call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "(^|\\.)(Topic|Queue)$")
  (#any-of? @_key "topic_name" "queue_name"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . (call function: (_) @_make arguments: (argument_list . (_) @queue)))) @site
  (#eq? @_call "add_subscription")
  (#match? @_make "(^|\\.)SqsSubscription$")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
