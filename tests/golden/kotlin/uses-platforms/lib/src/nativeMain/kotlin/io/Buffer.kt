package io

actual class Buffer {
  actual fun write(text: String): Buffer = this
  actual fun write(text: String, from: Int): Buffer = this
}

actual fun now(): Long = 1
