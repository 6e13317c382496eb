resource "google_pubsub_topic" "orders" {
  name = "orders-events"
}

resource "google_pubsub_subscription" "billing" {
  name  = "orders-billing"
  topic = google_pubsub_topic.orders.id
}

resource "google_pubsub_subscription" "mail" {
  name  = "orders-mail"
  topic = "projects/shop/topics/orders-events"
}

resource "google_pubsub_subscription" "given" {
  name  = "given"
  topic = module.topics.orders
}
