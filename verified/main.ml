(* Reads lines of whole numbers, hands each of them to the checker that was extracted from Coq, its last number first, and prints
   the answer. A number has hexadecimal digits in lower case, after a minus if it is negative; one space stands between two; the
   last line is "end". Nothing here is proved. *)
exception Bad_byte
let digit = function '0' .. '9' as c -> Char.code c - 48 | 'a' .. 'f' as c -> Char.code c - 87 | _ -> -1
let digits = Array.init 256 (fun byte -> digit (Char.chr byte))
let pairs = Array.init 65536 (fun bytes -> 16 * digits.(bytes land 255) lor digits.(bytes lsr 8))   (* negative: not two digits *)
external two_bytes : string -> int -> int = "%caml_string_get16"
let pair text at = pairs.(two_bytes text at)
let ended = ref 0   (* where the digits end *)
let rec some_digits text at value =
  if at = String.length text || text.[at] = ' ' then (ended := at; value)
  else match digits.(Char.code text.[at]) with -1 -> raise Bad_byte | d -> some_digits text (at + 1) (16 * value + d)
let rec numbers text at read =
  let size = String.length text and next = at + 8 in   (* eight digits at once, if that is how many there are *)
  if next > size || (next < size && text.[next] <> ' ') then number text at read
  else
    let value = pair text at lsl 24 lor (pair text (at + 2) lsl 16) lor (pair text (at + 4) lsl 8) lor pair text (at + 6) in
    if value < 0 then number text at read
    else if next = size then Whole.of_int value :: read else numbers text (next + 1) (Whole.of_int value :: read)
and number text at read =
  let first = if at < String.length text && text.[at] = '-' then at + 1 else at in
  let value = some_digits text first 0 in
  let count = !ended - first in
  if count = 0 then raise Bad_byte;
  let size = if count <= 15 then Whole.of_int value else Whole.of_string_base 16 (String.sub text first count) in
  let read = (if first > at then Whole.neg size else size) :: read in
  if !ended = String.length text then read else numbers text (!ended + 1) read
let rec judge stage count =
  if Checker.settled stage then Printf.sprintf "line %d: " count, Checker.outcome_of stage
  else match input_line stdin with
    | "end" -> "", Checker.outcome_of stage
    | text -> judge (Checker.take stage (if text = "" then [] else numbers text 0 [])) (count + 1)
let () =
  set_binary_mode_in stdin true;
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 17 };   (* words: rows come and go *)
  match judge Checker.Start 0 with
  | _, Checker.Accepts -> print_endline "accepted"
  | where, Checker.Refuses why -> print_endline ("refused: " ^ where ^ why); exit 1
  | where, Checker.Malformed -> print_endline ("malformed: " ^ where ^ "this is not how a claim or a row is written"); exit 3
  | exception problem -> print_endline ("malformed: " ^ Printexc.to_string problem); exit 3
