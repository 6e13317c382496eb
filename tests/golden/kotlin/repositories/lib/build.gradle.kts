group = "org.kit"
version = "1.0"
