package shop;

import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties(prefix = "clients")
public class Clients {
    private String usersUrl;

    public String getUsersUrl() {
        return usersUrl;
    }
}
