package shop

import kotlinx.coroutines.flow.Flow

// Called like gRPC's, and none: an interface and a stub of this repository, clients of other protocols.
interface Mailer {
    fun send(text: String)
}

class ReportsStub(private val channel: String) {
    fun all(): List<String> = emptyList()
}

class Smtp(private val s3: S3Client, private val next: Mailer, private val reports: ReportsStub) : Mailer {
    override fun send(text: String) {
        s3.getObject(text)
        next.send(text)
        reports.all()
    }
}
