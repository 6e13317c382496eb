package com.shop.api;

import java.util.List;
import java.util.concurrent.*;
import static com.shop.Limits.MAX;
import static com.shop.Checks.*;
import com.shop.db.User.Role;

class Api {
    int max = MAX;
}
