package shop;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.beans.factory.annotation.Value;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.SubscribeRequest;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

class Billing {
	@Value("${shop.queues.url}")
	private String url;

	@SqsListener("${shop.queues.billing}")
	void onOrder(String body) {
	}

	void place(SnsClient sns, SqsClient sqs) {
		sns.publish(PublishRequest.builder().topicArn(Names.ORDERS).message("x").build());
		sqs.sendMessage(SendMessageRequest.builder().queueUrl(url).messageBody("x").build());
		sns.subscribe(SubscribeRequest.builder().topicArn(Names.ORDERS).protocol("sqs").endpoint("arn:aws:sqs:eu-west-1:123456789012:billing").build());
	}
}
