# None of these sends anything to a queue whose name is known.
resource "aws_sns_topic_subscription" "page" {
  topic_arn = "arn:aws:sns:eu-west-1:123456789012:orders"
  protocol  = "https"
  endpoint  = "https://pages.example.com/orders"
}

resource "aws_sns_topic_subscription" "function" {
  topic_arn = "arn:aws:sns:eu-west-1:123456789012:orders"
  protocol  = "lambda"
  endpoint  = aws_lambda_function.ship.arn
}

resource "aws_sns_topic_subscription" "given" {
  topic_arn = var.topic_arn
  protocol  = "sqs"
  endpoint  = module.queue.arn
}

resource "aws_s3_bucket" "orders" {
  name = "orders"
}

data "aws_sns_topic" "alarms" {
  name = "alarms"
}

resource "aws_sns_topic" "broken" {
  name = "never
