package shop;

@ConfigurationProperties(prefix = "clients")
public class ClientSettings {
    private String usersUrl;

    public String getUsersUrl() { return usersUrl; }

    public void setUsersUrl(String usersUrl) { this.usersUrl = usersUrl; }
}
