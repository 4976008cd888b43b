(* Whole numbers are those of zarith, the small ones of which are OCaml's own: on these most work is done here. Tables are arrays. *)
type t = Z.t
let zero, one, of_string_base = Z.zero, Z.one, Z.of_string_base
external of_int : int -> t = "%identity"
external small : t -> bool = "%obj_is_int"
external int : t -> int = "%identity"   (* of a small one *)
let add x y =
  if small x && small y then
    let z = int x + int y in if (z lxor int x) land (z lxor int y) < 0 then Z.add x y else of_int z
  else Z.add x y
let succ x = if small x && int x <> max_int then of_int (int x + 1) else Z.succ x
let neg x = if small x && int x <> min_int then of_int (- int x) else Z.neg x
let mul x y =   (* both of 31 bits with their sign *)
  if small x && small y && ((int x + 0x40000000) lor (int y + 0x40000000)) land lnot 0x7fffffff = 0 then of_int (int x * int y)
  else Z.mul x y
let equal x y = x == y || (not (small x || small y) && Z.equal x y)
let lt x y = if small x && small y then int x < int y else Z.lt x y
let leq x y = if small x && small y then int x <= int y else Z.leq x y
let shiftl x k =   (* by -k: one to the right by k *)
  let n = if small k then int k else Z.to_int k in
  if small x && n <= 0 then of_int (int x asr (if n < -62 then 62 else -n))
  else if small x && n < 62 && (int x lsl n) asr n = int x then of_int (int x lsl n)
  else if n < 0 then Z.shift_right x (-n) else Z.shift_left x n
let logand x y = if small x && small y then of_int (int x land int y) else Z.logand x y
let table_of last entries =
  let table = Array.make (max 0 (Z.to_int last + 1)) zero in
  List.iter (fun (k, v) -> if leq zero k && leq k last then table.(int k) <- v) entries; table
let entry k table = if small k && 0 <= int k && int k < Array.length table then table.(int k) else zero
