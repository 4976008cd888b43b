(* Every operation of whole.ml against zarith's own, on numbers at the limits of what machine words hold. *)
let near = List.concat_map (fun power -> let p = Z.shift_left Z.one power in [Z.pred p; p; Z.succ p])
  [0; 1; 16; 20; 26; 29; 30; 31; 32; 52; 53; 60; 61; 62; 63; 64; 100]
let numbers = Z.zero :: Z.of_int max_int :: Z.of_int min_int :: near @ List.map Z.neg near
let shifts = List.init 141 (fun k -> k - 70)
let count = ref 0
let same name one other = incr count; if one <> other then (prerr_endline (name ^ " differs"); exit 1)
let number name one other = same name (Z.to_string one) (Z.to_string other)
let shifted x k = if k >= 0 then Z.shift_left x k else Z.shift_right x (-k)
let () =
  List.iter (fun x ->
    number "neg" (Whole.neg x) (Z.neg x);
    number "succ" (Whole.succ x) (Z.succ x);
    List.iter (fun k -> number "shiftl" (Whole.shiftl x (Z.of_int k)) (shifted x k)) shifts;
    List.iter (fun y ->
      number "add" (Whole.add x y) (Z.add x y);
      number "mul" (Whole.mul x y) (Z.mul x y);
      number "logand" (Whole.logand x y) (Z.logand x y);
      same "equal" (Whole.equal x y) (Z.equal x y);
      same "lt" (Whole.lt x y) (Z.lt x y);
      same "leq" (Whole.leq x y) (Z.leq x y)) numbers) numbers;
  let entries = [(1, 5); (3, 7); (-1, 8); (9, 9); (3, 6)] in   (* the last one counts; columns from 0 to the last *)
  let table = Whole.table_of (Z.of_int 4) (List.map (fun (k, v) -> Z.of_int k, Z.of_int v) entries) in
  List.iter (fun (k, v) -> number "entry" (Whole.entry (Z.of_int k) table) (Z.of_int v))
    [(-1, 0); (0, 0); (1, 5); (2, 0); (3, 6); (4, 0); (5, 0); (9, 0); (max_int, 0)];
  number "entry" (Whole.entry (Z.shift_left Z.one 70) table) Z.zero;
  Printf.printf "%d results of whole numbers, as zarith has them\n" !count
