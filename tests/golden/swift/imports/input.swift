import UIKit
import class Shop.Cart
@testable import Core.Network
#if canImport(Combine)
import Combine
#endif
let x = Cart()
