from aws_cdk import Stack
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs

from kinds import BILLING_NAME


class Shop(Stack):
    def __init__(self, scope, name):
        super().__init__(scope, name)
        orders = sns.Topic(self, "Orders", topic_name="orders")
        billing = sqs.Queue(self, "Billing", queue_name=BILLING_NAME)
        orders.add_subscription(subscriptions.SqsSubscription(billing))
        orders.add_subscription(subscriptions.EmailSubscription("shop@example.com"))
