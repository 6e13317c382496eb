A shop.

> module Shop where
>
> data Colour = Red | Green
>
> add :: Int -> Int -> Int
> add a b = a + b

That was all.
