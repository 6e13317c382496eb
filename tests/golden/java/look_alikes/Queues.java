import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import shop.own.SubscribeRequest;

/* Requests of one's own beside those of AWS. */
class Queues {
	private Newsletter newsletter;

	void all(SqsClient sqs, SnsClient sns, Letter letter) {
		newsletter.subscribe("orders");
		newsletter.subscribe("orders", "email", "shop@example.com");
		letter.queueUrl("orders");
		letter.topicArn("orders");
		letter.endpoint("orders");
		SubscribeRequest.of("orders");
		sqs.close();
		sns.listTopics();
		/* sqs.sendMessage(SendMessageRequest.builder().queueUrl("orders").build()); */
	}
}
