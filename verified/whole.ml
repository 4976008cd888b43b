(* The whole numbers of zarith, under a name that Coq's own Z does not hide. A shift to the left by -k is one to the right by k. *)
let shiftl x k = let k = Z.to_int k in if k >= 0 then Z.shift_left x k else Z.shift_right x (-k)
include Z
