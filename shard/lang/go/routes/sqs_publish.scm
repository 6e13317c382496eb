; framework: sqs   needs: "aws-sdk-go"   emits: topic.consumes

; sqs.SendMessageInput{QueueUrl: aws.String(url)}, sns.PublishInput{TopicArn: aws.String(arn)}
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(sqs.SendMessageInput|sqs.SendMessageBatchInput|sns.PublishInput)$")
  (#any-of? @_key "QueueUrl" "TopicArn")
  (#set! style "aws")
  (#set! method "PUBLISH"))
