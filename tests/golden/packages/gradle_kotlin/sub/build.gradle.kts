dependencies {
    api(libs.acme.http.client)
}
publishing {
    publications {
        create<MavenPublication>("maven") {
            groupId = "com.acme.pub"
            artifactId = "billing-sub"
            version = "2"
        }
    }
}
