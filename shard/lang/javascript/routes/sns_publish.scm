; framework: sns   needs: "aws-sdk"   emits: topic.consumes

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
