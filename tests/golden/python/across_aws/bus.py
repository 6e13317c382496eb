import boto3


class Bus:
    def __init__(self):
        self.sns = boto3.client("sns")

    def send(self, topic, text):
        self.sns.publish(TopicArn=topic, Message=text)
