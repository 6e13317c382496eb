protocol Named { var name: String { get } }
protocol Sized: Named, AnyObject {}
class Base<T> {}
final class Plain: Base<String>, Sized { var name = "" }
struct Pair<A: Named, B>: Named where B: Sized { let a: A; var b: B?; var name: String { a.name } }
enum Kind: Int, Named { case one = 1; indirect case more(Kind, Pair<Plain, Plain>) ; var name: String { "x" } }
actor Bank: Named { nonisolated let name = "b" }
extension Base: Named where T: Named { var name: String { "n" } }
typealias Handler = (Plain) -> Void
func pick<T: Named>(_ x: T?, f: (T) -> Base<T>, any p: any Named) -> [Base<T>]? { nil }
func test(x: Any) -> Bool { return x is Plain || (x as? Kind) != nil }
@available(iOS 13, *) class New {}
