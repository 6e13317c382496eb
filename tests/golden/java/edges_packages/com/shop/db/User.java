package com.shop.db;

public class User {
    public void touch() {
    }
}
