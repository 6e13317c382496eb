package org.acme.text;

public @interface Marker {
    String value();
}
