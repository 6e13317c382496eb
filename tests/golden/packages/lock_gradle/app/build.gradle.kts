dependencies {
    implementation("org.acme:core:1.+")
    implementation("com.google.guava:guava")
    testImplementation("junit:junit:[4.12,5)")
}
