(* A shop. *)
structure Shop = struct
  datatype colour = Red | Green
  exception Closed
  val most = 10
  (* Adds two. *)
  fun add (a, b) = a + b
end

signature PRICED = sig
  val price : int -> int
end

functor Make (X : PRICED) = struct
  fun twice x = X.price x * 2
end
