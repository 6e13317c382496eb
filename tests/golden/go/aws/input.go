package main

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const orders = "arn:aws:sns:eu-west-1:123456789012:orders"

func run(topics *sns.Client, queues *sqs.Client, given string) {
	url := "https://sqs.eu-west-1.amazonaws.com/123456789012/billing"
	topics.Publish(ctx, &sns.PublishInput{TopicArn: aws.String(orders), Message: aws.String("x")})
	queues.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String("x")})
	queues.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: aws.String(url)})
	topics.Subscribe(ctx, &sns.SubscribeInput{
		TopicArn: aws.String(orders),
		Protocol: aws.String("sqs"),
		Endpoint: aws.String("arn:aws:sqs:eu-west-1:123456789012:billing"),
	})
	topics.Subscribe(ctx, &sns.SubscribeInput{TopicArn: aws.String(orders), Protocol: aws.String("email"), Endpoint: aws.String("shop@example.com")})
	topics.Subscribe(ctx, &sns.SubscribeInput{TopicArn: aws.String(orders), Protocol: aws.String("sqs"), Endpoint: aws.String(given)})
}
