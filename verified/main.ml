(* Reads lines of whole numbers, hands each of them to the checker that was extracted from Coq, its last number first, and prints
   the answer. A number has hexadecimal digits in lower case, after a minus if it is negative; one space stands between two.
   Nothing here is proved. *)
exception Bad_byte
let buffer = Bytes.create 65536
let here = ref 0
let stop = ref 0
let rec byte () =   (* the next one; -1 after the last *)
  if !here < !stop then (incr here; Char.code (Bytes.unsafe_get buffer (!here - 1)))
  else (here := 0; stop := input stdin buffer 0 65536; if !stop = 0 then -1 else byte ())
let digit c = if c >= 48 && c <= 57 then c - 48 else if c >= 97 && c <= 102 then c - 87 else raise Bad_byte
let after = ref 0   (* the byte after a number *)
let join high low count =
  if high == Whole.zero then Whole.of_int low else Whole.add (Whole.shift_left high (4 * count)) (Whole.of_int low)
let rec digits high low count c =   (* so far: high, and the last [count] digits *)
  if c = 32 || c = 10 then (after := c; join high low count)
  else if count = 15 then digits (join high low count) (digit c) 1 (byte ())
  else digits high (16 * low + digit c) (count + 1) (byte ())
let number c =
  if c = 45 then (let c = byte () in Whole.neg (digits Whole.zero (digit c) 1 (byte ())))
  else digits Whole.zero (digit c) 1 (byte ())
let rec line numbers c =
  let numbers = number c :: numbers in
  if !after = 10 then numbers else line numbers (byte ())
let rec judge stage count =
  let c = byte () in
  if Checker.settled stage then Printf.sprintf "line %d: " count, Checker.outcome_of stage
  else if c = -1 then "", Checker.outcome_of stage
  else judge (Checker.take stage (if c = 10 then [] else line [] c)) (count + 1)
let () =
  set_binary_mode_in stdin true;
  match judge Checker.Start 0 with
  | _, Checker.Accepts -> print_endline "accepted"
  | where, Checker.Refuses why -> print_endline ("refused: " ^ where ^ why); exit 1
  | where, Checker.Malformed -> print_endline ("malformed: " ^ where ^ "this is not how a claim or a row is written"); exit 3
  | exception problem -> print_endline ("malformed: " ^ Printexc.to_string problem); exit 3
