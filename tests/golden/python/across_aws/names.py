import os

ACCOUNT = "arn:aws:sns:eu-west-1:123456789012:"
ORDERS = ACCOUNT + "orders"
BILLING = os.environ.get("BILLING_QUEUE_URL")
