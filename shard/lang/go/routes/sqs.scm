; framework: sqs   needs: "aws-sdk-go"
; emits: topic.provides
; sqs.ReceiveMessageInput{QueueUrl: aws.String(url)}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(sqs.ReceiveMessageInput|ReceiveMessageInput)$")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; sqs.SendMessageInput{QueueUrl: aws.String(url)}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(sqs.SendMessageInput|sqs.SendMessageBatchInput)$")
  (#eq? @_key "QueueUrl")
  (#set! style "aws")
  (#set! method "PUBLISH"))
