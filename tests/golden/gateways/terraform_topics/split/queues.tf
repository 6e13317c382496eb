resource "aws_sqs_queue" "ledger" {
  name = "ledger"
}

resource "aws_sns_topic_subscription" "ledger" {
  topic_arn = aws_sns_topic.this.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.ledger.arn
}
