plugins {
    kotlin("jvm") version "1.9"
}
group = "com.acme"
val wireVersion = "8"

dependencies {
    implementation(libs.acme.common)
    implementation(libs.bundles.net)
    testImplementation(libs.plain)
    "runtimeOnly"("com.acme:runtime:1")
    implementation("com.acme:wire:$wireVersion")
    implementation(kotlin("stdlib"))
    constraints { implementation("com.acme:constrained:9") }
}
