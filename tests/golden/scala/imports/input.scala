package com.acme
package shop

import java.util.UUID
import scala.collection.mutable
import a.b.{C, D => Other, E => _, _}
import a.b.*
import a.b.given
import x.y as z

object Use { val u: UUID = UUID.randomUUID(); val m = mutable.Map(C(), new Other) }
