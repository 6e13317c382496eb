import boto3


def run(page, feed, shelf):
    page.publish(Message="orders")
    page.publish("orders")
    feed.subscribe(Protocol="http", Endpoint="https://example.com/orders")
    feed.subscribe("orders")
    shelf.send_message(MessageBody="orders")
    shelf.receive_messages()
    boto3.client("s3").put_object(Bucket="orders", Key="x")
    boto3.resource("dynamodb").Table("orders").put_item(Item={})
    # sns.publish(TopicArn="arn:aws:sns:eu-west-1:123456789012:orders", Message="x")
    return "sqs.send_message(QueueUrl='orders')"
