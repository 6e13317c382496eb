BILLING_NAME = "billing"
