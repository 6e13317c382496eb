class Work {
    void work(List<User> users, int[] sizes, String... names) {
        Repo repo = new Repo(), other = open();
        var built = Repo.build();
        final Map<String, List<User>> index = load();
        for (User user : users) user.touch();
        for (var each : built.all()) each.touch();
        for (int i = 0; i < sizes.length; i++) touch(i);
        try (Reader in = files.open(); in) {
            in.read();
        } catch (IOException | Missing e) {
            e.printStackTrace();
        }
        if (any instanceof Admin admin) admin.grant();
        users.forEach(u -> u.touch());
        users.sort((Comparator<User>) (x, y) -> x.compareTo(y));
        switch (shape) {
            case Circle c -> c.area();
            case Point(int px, Unit u) -> u.name();
        }
        repo = other;
        this.cache = new Cache();
        cast((Admin) other);
    }
}
