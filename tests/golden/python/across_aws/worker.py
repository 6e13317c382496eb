import boto3

import names
from bus import Bus


def run(bus: Bus):
    sqs = boto3.client("sqs")
    sqs.receive_message(QueueUrl=names.BILLING)
    bus.send(names.ORDERS, "x")
