; framework: sns   needs: "boto3" "aioboto3" "aiobotocore" "aws_cdk"   emits: topic.forwards

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

; topic.subscribe(Protocol="sqs", Endpoint=queue_arn)
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call
    function: (attribute attribute: (identifier) @_make)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_make "create_topic")
  (#eq? @_key "Name"))
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call
    function: (attribute attribute: (identifier) @_make)
    arguments: (argument_list . [(string) (identifier) (attribute) (subscript) (call)] @prefix .))
  (#eq? @_make "Topic"))
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
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
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
