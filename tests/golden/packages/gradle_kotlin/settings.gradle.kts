rootProject.name = "billing"
