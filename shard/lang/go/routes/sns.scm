; framework: sns   needs: "aws-sdk-go"
; emits: topic.consumes
; sns.PublishInput{TopicArn: aws.String(arn)}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)sns\\.Publish(Batch)?Input$")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; emits: topic.forwards
; sns.SubscribeInput{TopicArn: aws.String(arn), Protocol: aws.String("sqs"), Endpoint: aws.String(queueArn)}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path))) @_body) @site
  (#match? @_type "(^|\\.)sns\\.SubscribeInput$")
  (#match? @_body "Protocol:\\s*[\\w.]+\\(\"sqs\"\\)")
  (#eq? @_key "TopicArn")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @queue)))) @site
  (#match? @_type "(^|\\.)sns\\.SubscribeInput$")
  (#eq? @_key "Endpoint"))
