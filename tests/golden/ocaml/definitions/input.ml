module Order = struct
  type t = { id : int; name : string }
  exception Missing of string

  (* Makes one. *)
  let make id name = { id; name }
end

type color = Red | Green

let rec total = function
  | [] -> 0
  | _ :: rest -> 1 + total rest

class counter = object
  method next = 1
end
