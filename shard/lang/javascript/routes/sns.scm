; framework: sns

; emits: topic.consumes   needs: "aws-sdk"
; new PublishCommand({ TopicArn: arn }), sns.publish({ TopicArn: arn })
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (_) @options)) @site
  (#match? @_type "(^|\\.)Publish(Batch)?Command$")
  (#set! path "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @path)
    ((shorthand_property_identifier) @_key @path)]))) @site
  (#any-of? @_call "publish" "publishBatch")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; emits: topic.forwards   needs: "aws-sdk" "aws-cdk"
; new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint }), sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint })
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (string (string_fragment) @_sqs))) @options)) @site
  (#match? @_type "(^|\\.)SubscribeCommand$")
  (#eq? @_key "Protocol")
  (#eq? @_sqs "sqs")
  (#set! path "TopicArn")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((new_expression
  constructor: (_) @_type
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @queue)
    ((shorthand_property_identifier) @_key @queue)]))) @site
  (#match? @_type "(^|\\.)SubscribeCommand$")
  (#eq? @_key "Endpoint"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (string (string_fragment) @_sqs))) @options)) @site
  (#eq? @_call "subscribe")
  (#eq? @_key "Protocol")
  (#eq? @_sqs "sqs")
  (#set! path "TopicArn")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object [
    (pair key: (property_identifier) @_key value: (_) @queue)
    ((shorthand_property_identifier) @_key @queue)]))) @site
  (#eq? @_call "subscribe")
  (#eq? @_key "Endpoint"))

; CDK: topic.addSubscription(new subscriptions.SqsSubscription(queue))
((new_expression
    constructor: (_) @_type
    arguments: (arguments (object (pair key: (property_identifier) @_key value: (_) @prefix)))) @instance
  (#match? @_type "(^|\\.)(Topic|Queue)$")
  (#any-of? @_key "topicName" "queueName"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_call)
  arguments: (arguments . (new_expression constructor: (_) @_type arguments: (arguments . (_) @queue)))) @site
  (#eq? @_call "addSubscription")
  (#match? @_type "(^|\\.)SqsSubscription$")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
