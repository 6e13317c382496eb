package shop.screens

import kotlin.reflect.KClass

@Preview
@Composable
private fun CartPreview() {
    Cart {
        Row()
    }
}

@Preview(showBackground = true)
@Composable
fun EmptyCartPreview() {
    Cart()
}

@OptIn(Experimental::class)
fun refreshCart() {
    reload()
}

@EntryPoint
@InstallIn(Singleton::class)
interface WorkerEntryPoint {
    fun workers(): Workers
}

@Marker @Named("cart") interface CartSource {
    val size: Int
}

@Composable
@Marker
internal fun Total(value: Int) {
    Text(value)
}

// an annotated expression is still one
fun lambdas() {
    val show = @Composable { Cart() }
    run(@Marker { show() })
}

class Last
