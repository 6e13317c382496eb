package shop;

public class Orders {
    @Autowired
    private Config config;
    @Autowired
    private Sender sender;

    void pay(Payment payment) {
        sender.postResource(config.getPaymentUri(), payment, new ParameterizedTypeReference<Result>() { });
    }
}
