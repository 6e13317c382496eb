package io

expect class Buffer() {
  fun write(text: String): Buffer
  fun write(text: String, from: Int): Buffer
}

expect fun now(): Long
