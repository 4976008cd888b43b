(* The whole numbers of zarith, under a name that Coq's own Z does not hide; small ones are compared without a call. *)
include Z
let small (x : t) = Obj.is_int (Obj.repr x)
let lt (x : t) (y : t) = if small x && small y then (Obj.magic x : int) < (Obj.magic y : int) else lt x y
let coarse x = shift_right x 32
