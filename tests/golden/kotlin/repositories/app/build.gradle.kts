dependencies { implementation("org.kit:text:1.0") }
