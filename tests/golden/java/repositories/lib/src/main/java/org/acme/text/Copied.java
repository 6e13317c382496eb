package org.acme.text;

public class Copied {
    public void go() {}
    public void stay() {}
}
