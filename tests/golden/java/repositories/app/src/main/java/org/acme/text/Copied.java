package org.acme.text;

public class Copied {
    public void go() { new Copied().stay(); }
    public void stay() {}
}
