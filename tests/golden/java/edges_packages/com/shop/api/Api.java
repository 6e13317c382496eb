package com.shop.api;

import static com.shop.db.Repo.LIMIT;

import com.shop.db.*;
import java.util.List;

class Api {
    private final Repo repo = Repo.open();

    void run(List<User> users) {
        repo.find(LIMIT).touch();
        for (User user : users) user.touch();
        var first = users.get(0);
        new Repo("y").find(1);
        this.stop();
    }

    void stop() {
        com.shop.db.Repo.open();
    }
}
