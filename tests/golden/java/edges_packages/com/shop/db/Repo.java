package com.shop.db;

public class Repo {
    public static final int LIMIT = 3;

    public Repo(String name) {
    }

    public User find(int id) {
        return load(id);
    }

    private User load(int id) {
        return new User();
    }

    public static Repo open() {
        return new Repo("x");
    }
}
