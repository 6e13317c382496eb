import boto3

ORDERS = "arn:aws:sns:eu-west-1:123456789012:orders"
BILLING = "https://sqs.eu-west-1.amazonaws.com/123456789012/billing"

sns = boto3.client("sns")
sqs = boto3.client("sqs")


def place(order):
    sns.publish(TopicArn=ORDERS, Message=order)
    sqs.send_message(QueueUrl=BILLING, MessageBody=order)


def bill():
    return sqs.receive_message(QueueUrl=BILLING)


def subscribe(given):
    sns.subscribe(TopicArn=ORDERS, Protocol="sqs", Endpoint="arn:aws:sqs:eu-west-1:123456789012:billing")
    sns.subscribe(TopicArn=ORDERS, Protocol="sqs", Endpoint=given)
    sns.subscribe(TopicArn=ORDERS, Protocol="email", Endpoint="shop@example.com")
    sns.subscribe(TopicArn=given, Protocol="sqs", Endpoint="arn:aws:sqs:eu-west-1:123456789012:mail")


def by_resource(body):
    topic = boto3.resource("sns").create_topic(Name="payments")
    queue = boto3.resource("sqs").get_queue_by_name(QueueName="ledger")
    topic.publish(Message=body)
    queue.send_message(MessageBody=body)
    topic.subscribe(Protocol="sqs", Endpoint="arn:aws:sqs:eu-west-1:123456789012:ledger")
    for message in queue.receive_messages(MaxNumberOfMessages=1):
        message.delete()
