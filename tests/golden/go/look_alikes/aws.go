package alike

import (
	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/s3"
)

type PublishInput struct{ TopicArn string }

type SendMessageInput struct{ QueueUrl string }

func awsNot(store *s3.S3) {
	_ = PublishInput{TopicArn: "orders"}
	_ = SendMessageInput{QueueUrl: "orders"}
	store.PutObject(&s3.PutObjectInput{Bucket: aws.String("orders")})
	// sns.PublishInput{TopicArn: aws.String("orders")}
}
