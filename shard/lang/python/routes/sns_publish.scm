; framework: sns   needs: "boto3" "aioboto3" "aiobotocore"   emits: topic.consumes

; sns.publish(TopicArn=arn)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "publish" "publish_batch")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; topic = boto3.resource("sns").create_topic(Name="orders"), sns.Topic(arn): topic.publish(Message=m)
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
  arguments: (argument_list (keyword_argument name: (identifier) @_key)) @_arguments) @site
  (#eq? @_call "publish")
  (#eq? @_key "Message")
  (#not-match? @_arguments "TopicArn")
  (#set! bare "")
  (#set! style "aws")
  (#set! method "PUBLISH"))
