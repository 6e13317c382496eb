import boto3

QUEUE = "https://sqs.eu-west-1.amazonaws.com/123456789012/orders"
sqs = boto3.client("sqs")
sns = boto3.client("sns")


def run(other):
    sqs.send_message(QueueUrl=QUEUE, MessageBody="x")
    sqs.receive_message(QueueUrl=QUEUE, MaxNumberOfMessages=1)
    sns.publish(TopicArn="arn:aws:sns:eu-west-1:123456789012:shipped", Message="x")
    other.send_message("hello")
    other.publish("page")
