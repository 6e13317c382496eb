package com.example;

public class Handlers {
    public String confirm(APIGatewayProxyRequestEvent event) {
        return "ok";
    }
}
