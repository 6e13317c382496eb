@file:JvmName("Tools")
package com.acme

import a.b.C
import a.b.D as Other
import a.b.*
import a.b.C.Companion.make
import kotlin.math.max

val x: Other = make(C())
fun use() = max(1, 2)
