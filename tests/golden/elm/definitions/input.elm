module Shop exposing (..)

type Msg
    = Increment
    | Decrement

type alias Model =
    { count : Int
    }

-- Adds two.
add : Int -> Int -> Int
add a b =
    a + b

port save : String -> Cmd msg
