# A topic, two queues, and who gets what.
variable "stage" {
  type    = string
  default = "live"
}

locals {
  shop = "shop"
}

resource "aws_sns_topic" "orders" {
  name = "orders" /* of all shops */
  tags = {
    name = "not this"
  }
}

resource "aws_sqs_queue" "billing" {
  name                       = "${local.shop}-billing-${var.stage}"
  redrive_policy             = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
  })
  visibility_timeout_seconds = 30
}

resource "aws_sqs_queue" "mail" {
  name   = "mail"
  policy = <<-POLICY
    { "Resource": "name = \"wrong\" }" }
  POLICY
}

resource "aws_sns_topic_subscription" "billing" {
  topic_arn     = aws_sns_topic.orders.arn
  protocol      = "sqs"
  endpoint      = aws_sqs_queue.billing.arn
  filter_policy = jsonencode({ kind = ["paid", "refunded"] })
}

resource "aws_sns_topic_subscription" "mail" {
  topic_arn = "${aws_sns_topic.orders.arn}"
  protocol  = "sqs"
  endpoint  = "arn:aws:sqs:eu-west-1:123456789012:mail"
}
