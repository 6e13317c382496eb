package shop.web;

import shop.api.Unserved;
import shop.api.UsersApi;

@RestController
public class UsersController implements UsersApi {
    @Override
    public User get(long id) { return null; }

    @Override
    public User create(User user) { return user; }
}

class UsersFallback implements Unserved {
    public String get() { return ""; }
}
