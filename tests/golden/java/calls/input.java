package shop;

public class Service extends Base {
    private final Repo repo;

    public Service(Repo repo) {
        super(repo);
        this.repo = repo;
    }

    public Service() {
        this(new Repo("x"));
    }

    public void run(String id) {
        prepare();
        this.log(id, 1);
        super.run(id);
        repo.find(id).stream().map(User::getName).forEach(this::log);
        Service.build().run(null);
        users[0].touch();
        ((Admin) any()).grant();
        "a".trim();
        new Thread(() -> refresh()).start();
        System.out.println(LIMIT);
    }

    static Service build() {
        return new Service(new Repo("y")) {
            @Override
            public void run(String id) {
                repo.close();
            }
        };
    }
}
