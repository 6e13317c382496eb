package x;
class Config {
	static final String QUEUE = "orders";
	@Value("${queue.name}") private String q2;
	private final RabbitTemplate rabbit;
	private KafkaTemplate<String, Order> kafka;
	@RabbitListener(queues = QUEUE)
	public void a(Order o) {}
	@RabbitListener(queues = {"x", "y"})
	public void b(Order o) {}
	@RabbitListener(queuesToDeclare = @Queue("decl"))
	public void c(Order o) {}
	@RabbitListener(queuesToDeclare = @Queue(name = "decl2"))
	public void c2(Order o) {}
	@RabbitListener(bindings = @QueueBinding(value = @Queue(value = "bound", durable = "true"), exchange = @Exchange("ex"), key = "k"))
	public void d(Order o) {}
	@KafkaListener(topics = "t1", groupId = "g")
	public void e(Order o) {}
	@KafkaListener(id = "z", topics = {"t2", "t3"})
	public void f(Order o) {}
	@JmsListener(destination = "mailbox")
	public void g(Order o) {}
	void send(Order o) {
		rabbit.convertAndSend("q", o);
		rabbit.convertAndSend("ex", "key", o);
		rabbit.convertAndSend("fan", "", o);
		this.rabbit.convertAndSend(QUEUE, o);
		kafka.send("t1", o);
		kafka.send("t2", "key", o);
		producer.send(new ProducerRecord<>("t3", "k", "v"));
		producer.send(new ProducerRecord<String, String>("t4", "v"));
		consumer.subscribe(Arrays.asList("t5", "t6"));
		channel.basicPublish("", "bq", null, body);
		channel.basicConsume("bq", true, cb, tag -> {});
		mail.send("a", o);
	}
	KStream s(StreamsBuilder builder) { return builder.stream("t7"); }
	@Bean
	SimpleMessageListenerContainer container(ConnectionFactory cf) {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setQueueNames(QUEUE);
	}
}
