package shop;

import io.awspring.cloud.sns.core.SnsTemplate;
import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.operations.SqsTemplate;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.SubscribeRequest;
import software.amazon.awssdk.services.sqs.SqsClient;

class Messages {
	static final String ORDERS = "arn:aws:sns:eu-west-1:123456789012:orders";
	static final String BILLING = "https://sqs.eu-west-1.amazonaws.com/123456789012/billing";
	private SnsTemplate snsTemplate;
	private SqsTemplate sqsTemplate;

	@SqsListener("billing")
	void onOrder(String body) {
	}

	void send(SnsClient sns, SqsClient sqs, String given) {
		sns.publish(PublishRequest.builder().topicArn(ORDERS).message("x").build());
		sqs.sendMessage(SendMessageRequest.builder().queueUrl(BILLING).messageBody("x").build());
		sqs.receiveMessage(ReceiveMessageRequest.builder().queueUrl(BILLING).build());
		snsTemplate.sendNotification("payments", "x", "subject");
		sqsTemplate.send("ledger", "x");
		sns.subscribe(SubscribeRequest.builder()
		    .protocol("sqs")
		    .endpoint("arn:aws:sqs:eu-west-1:123456789012:billing")
		    .returnSubscriptionArn(true)
		    .topicArn(ORDERS)
		    .build());
		sns.subscribe(SubscribeRequest.builder().topicArn(ORDERS).protocol("sqs").endpoint(given).build());
	}

	void old(AmazonSNS client) {
		client.subscribe(ORDERS, "sqs", "arn:aws:sqs:eu-west-1:123456789012:stock");
		client.subscribe(new SubscribeRequest(ORDERS, "sqs", "arn:aws:sqs:eu-west-1:123456789012:mail"));
		client.publish(new com.amazonaws.services.sns.model.PublishRequest(ORDERS, "x"));
	}
}
