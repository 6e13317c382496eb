package shop

import (
	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/sns"
	"github.com/aws/aws-sdk-go/service/sqs"
)

type Bus struct {
	topics *sns.SNS
	queues *sqs.SQS
}

func (b *Bus) Send(arn, text string) {
	b.topics.Publish(&sns.PublishInput{TopicArn: aws.String(arn), Message: aws.String(text)})
}

func (b *Bus) Listen() {
	b.queues.ReceiveMessage(&sqs.ReceiveMessageInput{QueueUrl: aws.String(BillingQueue)})
}

func Connect(b *Bus) {
	b.topics.Subscribe(&sns.SubscribeInput{TopicArn: aws.String(OrdersTopic), Protocol: aws.String("sqs"), Endpoint: aws.String("arn:aws:sqs:eu-west-1:123456789012:billing")})
}
