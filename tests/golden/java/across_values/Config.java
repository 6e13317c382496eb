package shop;

public class Config {
    private String domain = "";

    public URI getPaymentUri() {
        return new ServiceUri(new Hostname("payment"), "/paymentAuth").toUri();
    }

    private class Hostname {
        private final String hostname;

        private Hostname(String hostname) { this.hostname = hostname; }

        public String toString() {
            if (hostname != null && !hostname.equals(""))
                return hostname;
            return "";
        }
    }

    private class ServiceUri {
        private final Hostname hostname;
        private final String endpoint;

        private ServiceUri(Hostname hostname, String endpoint) {
            this.hostname = hostname;
            this.endpoint = endpoint;
        }

        public URI toUri() {
            return URI.create(wrap(hostname.toString()) + endpoint);
        }

        private String wrap(String host) {
            return "http://" + host;
        }
    }
}
