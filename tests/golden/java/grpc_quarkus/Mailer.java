package shop;

/* Called like a service, and none: this repository defines it. */
interface Mailer {
    void send(String text);
}

class Smtp implements Mailer {
    private final Mailer next;

    Smtp(Mailer next) { this.next = next; }

    @Override
    public void send(String text) { next.send(text); }
}
