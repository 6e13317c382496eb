package shop

import com.example.payments.PaymentsGrpc

// Called like gRPC's, and none: a trait and an object of this repository, a client of another protocol.
trait Mailer {
  def send(text: String): Unit
}

object ReportsGrpc {
  def stub(channel: String): Reports = new Reports(channel)
}

class Reports(channel: String) {
  def all(): List[String] = Nil
}

class Smtp(s3: S3Client, reports: Reports) extends Mailer {
  def send(text: String): Unit = {
    s3.getObject(text)
    reports.all()
    ReportsGrpc.stub("x").all()
  }
}
