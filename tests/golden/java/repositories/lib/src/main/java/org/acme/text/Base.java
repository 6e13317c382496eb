package org.acme.text;

public abstract class Base {
    protected int count;
    public void reset() {}
    public static Base shared() { return null; }
    protected abstract void visit(Part part);
}
