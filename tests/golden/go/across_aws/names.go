package shop

import "os"

const OrdersTopic = "arn:aws:sns:eu-west-1:123456789012:orders"

var BillingQueue = os.Getenv("BILLING_QUEUE_URL")
