package shop

const val DIRECT = "direct-topic"
