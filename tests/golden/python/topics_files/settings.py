QUEUE = "jobs"
