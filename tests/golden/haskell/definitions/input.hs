module Shop.Order where

-- An order.
data Order = Order { orderId :: Int } | Empty

type Name = String

class Sized a where
  size :: a -> Int

-- Adds.
add :: Int -> Int -> Int
add a b = a + b

total o = case o of
  Empty -> 0
  _ -> 1
