(* Reads a claim, then its rows one at a time, and hands them to the checker that was extracted from Coq.
   The text is described to the letter in README.md. Nothing here is proved. *)
open Checker
module Z = Whole

exception Malformed of string
let malformed text = raise (Malformed text)

(* The input, by a buffer whose bytes after [stop] are never digits. *)
let size = 1 lsl 16
let buffer = Bytes.make (size + 1) '\000'
let here = ref 0
let stop = ref 0
let line = ref 1
let more () =
  stop := input stdin buffer 0 size;
  Bytes.unsafe_set buffer !stop '\000';
  here := 0;
  !stop > 0
let peek () = if !here < !stop || more () then Bytes.unsafe_get buffer !here else '\000'
let ended () = !here >= !stop && not (more ())
let skip () = incr here
let expect c what = if ended () || peek () <> c then malformed (what ^ " expected") else skip ()
let space () = expect ' ' "a space"
let newline () = expect '\n' "the end of the line"; incr line
let word () =
  let letters = Buffer.create 20 in
  while not (ended ()) && peek () <> ' ' && peek () <> '\n' && Buffer.length letters < 40 do
    Buffer.add_char letters (peek ()); skip ()
  done;
  Buffer.contents letters
let keyword text = if word () <> text then malformed ("\"" ^ text ^ "\" expected")

(* Whole numbers: decimal, or hexadecimal after 0x; a minus before; no needless zeros. *)
let decimal c = c >= '0' && c <= '9'
let hexadecimal c = decimal c || (c >= 'a' && c <= 'f')
let any_number () =   (* the slow way, which needs no luck with the buffer *)
  let text = Buffer.create 64 in
  let take () = Buffer.add_char text (peek ()); skip () in
  let take_all digit =
    if peek () = '0' || not (digit (peek ())) then malformed "a whole number expected";
    while digit (peek ()) do take () done in
  if peek () <> '0' then take_all decimal
  else begin
    take ();
    if peek () = 'x' then begin take (); take_all hexadecimal end
  end;
  Z.of_string (Buffer.contents text)
let max_natural = 1_000_000_000_000_000
let max_short = (max_int - 9) / 10
let rec short_number at value =
  let digit = Char.code (Bytes.unsafe_get buffer at) - 48 in
  if digit < 0 || digit > 9 then if at < !stop then (here := at; value) else -1
  else if value > max_short then -1
  else short_number (at + 1) (10 * value + digit)
let rec past digit at = if digit (Bytes.unsafe_get buffer at) then past digit (at + 1) else at
let unsigned () =
  let first = peek () in
  let value = if first >= '1' && first <= '9' then short_number !here 0 else -1 in
  if value >= 0 then Z.of_int value
  else
    let start = !here in
    let next = if start + 2 < !stop then Bytes.unsafe_get buffer (start + 1) else '\000' in
    if first = '0' && next = ' ' then (skip (); Z.zero)
    else
      let hex = first = '0' && next = 'x' in
      let finish = if hex then past hexadecimal (start + 2) else past decimal start in
      let lead = Bytes.unsafe_get buffer (if hex then start + 2 else start) in
      if finish >= !stop || finish - start < 3 || lead = '0' then any_number ()
      else (here := finish; Z.of_substring (Bytes.unsafe_to_string buffer) ~pos:start ~len:(finish - start))
let number () =
  if peek () = '-' then begin
    skip ();
    let value = unsigned () in
    if Z.sign value = 0 then malformed "a whole number expected" else Z.neg value
  end
  else unsigned ()
let natural () =   (* of counts and columns, which fit into a machine word *)
  let first = peek () in
  let value = if first >= '1' && first <= '9' then short_number !here 0 else -1 in
  if value >= 0 && value <= max_natural then value
  else if value >= 0 then malformed "a number is too large here"
  else
    let value = unsigned () in
    if Z.leq value (Z.of_int max_natural) then Z.to_int value else malformed "a number is too large here"
let flag () = match natural () with 0 -> false | 1 -> true | _ -> malformed "0 or 1 expected"

(* Columns as Coq has them, made once: twice a column, and one more, share its digits. *)
let keys = ref [| XH |]
let make_keys count =
  keys := Array.make (count + 1) XH;
  for j = 2 to count do !keys.(j) <- (if j land 1 = 0 then XO !keys.(j / 2) else XI !keys.(j / 2)) done
let rec entries width count before read =
  if count = 0 then List.rev read
  else begin
    space ();
    let j = natural () in
    if j <= before || j > width then malformed "columns must increase and lie within the data";
    space ();
    let v = number () in
    entries width (count - 1) j ((!keys.(j), v) :: read)
  end
let sparse width =
  let count = natural () in
  if count > width then malformed "more entries than columns" else entries width count 0 []

let ratio () =
  space ();
  let num = number () in
  space ();
  let den = number () in
  { num; den }
let relation width = keyword "relation"; space (); let v = sparse width in newline (); v
let rec times count f = if count = 0 then [] else let first = f () in first :: times (count - 1) f

let claim () =
  keyword "novikoff-verified"; space (); keyword "1"; newline ();
  keyword "verdict"; space (); let verdict = word () in newline ();
  keyword "columns"; space (); let width = natural () in newline ();
  if width < 1 || width > 10_000_000 then malformed "the number of columns must be from 1 to 10000000";
  keyword "intercept"; space (); let intercept = flag () in newline ();
  let last = if intercept then width + 1 else width in
  make_keys last;
  let says =
    match verdict with
    | "separable" ->
        keyword "margin";
        let lo = ratio () in
        let hi = ratio () in
        let radius = ratio () in
        space ();
        let bound = number () in
        newline (); Separable (lo, hi, radius, bound)
    | "inseparable" -> keyword "covered"; space (); let covered = flag () in newline (); Inseparable covered
    | "quasi-separable" -> keyword "covered"; space (); let covered = flag () in newline (); Quasi_separable covered
    | _ -> malformed "no such verdict" in
  keyword "plane"; space (); let plane = sparse last in newline ();
  keyword "relations"; space (); let count = natural () in newline ();
  if count > last then malformed "more relations than columns";
  let relations = times count (fun () -> relation last) in
  keyword "rows"; space (); let plus = natural () in space (); let minus = natural () in newline ();
  { width = !keys.(width); intercept; says; relations; plus = Z.of_int plus; minus = Z.of_int minus }, plane, width,
  plus + minus

let item width =
  let label = match peek () with '+' -> true | '-' -> false | _ -> malformed "+ or - expected" in
  skip (); space ();
  let over = unsigned () in
  if Z.sign over = 0 then malformed "a row over 0";
  space (); let weight = number () in
  space (); let cover = number () in
  space (); let named = flag () in
  space (); let entries = sparse width in
  newline ();
  { data = { label; over; entries; named }; weight; cover }

let explain = function
  | Bad_ratio -> "lo, hi and radius must be positive"
  | Bad_plane -> "the plane is not one, or none is called for"
  | Bad_relation -> "a relation is zero"
  | Bad_over -> "it is over 0"
  | Bad_columns -> "its columns do not increase"
  | Relation_fails -> "a relation does not vanish on it"
  | Negative_weight -> "its weight is negative"
  | Margin_fails -> "its margin is not what the claim needs"
  | Lo_fails -> "its margin is below lo"
  | Radius_fails -> "it is longer than radius"
  | Bound_fails -> "the bound is below radius²/lo²"
  | Hi_fails -> "the combination does not prove hi"
  | Bad_cover -> "its weight in the cover is not what the claim needs"
  | Bad_name -> "it is named, which only quasi-separable claims do"
  | Wrong_sizes -> "the rows of the classes are not as many as stated"
  | One_class -> "there are rows of one class only"
  | No_weight -> "no weight is positive"
  | Witness_fails -> "the rows do not sum to zero under the witness"
  | Cover_fails -> "the rows do not sum to zero under the cover"
  | No_name -> "no row is named as on the right side"

let short z = if Z.numbits z < 200 then Z.to_string z else Printf.sprintf "(a number of %d bits)" (Z.numbits z)
let fraction q = if Z.equal q.den Z.one then short q.num else short q.num ^ "/" ^ short q.den
let proved claim = match claim.says with
  | Separable (lo, hi, radius, bound) ->
      Printf.sprintf "separable: some plane has every margin > 0; the best margin is at least %s and at most %s; no row is \
        longer than %s; every run of the perceptron from zero makes at most %s updates"
        (fraction lo) (fraction hi) (fraction radius) (short bound)
  | Inseparable false -> "inseparable: no plane has every margin > 0; whether one is quasi-separating is left open"
  | Inseparable true -> "inseparable: no plane has every margin > 0, nor every margin >= 0 and some > 0"
  | Quasi_separable false ->
      "quasi-separable: no plane has every margin > 0; some plane has every margin >= 0, and > 0 on exactly the rows named"
  | Quasi_separable true ->
      "quasi-separable: no plane has every margin > 0; some plane has every margin >= 0, and > 0 on exactly the rows named; \
       no plane with every margin >= 0 has one > 0 on any other row"

let refuse text = print_endline ("refused: " ^ text); 1
let rec check_rows state width number count =
  if number > count then state, number
  else
    let state = step state (item width) in
    if state.complaint <> None then state, number else check_rows state width (number + 1) count
let run () =
  let claim, plane, width, count = claim () in
  let first = start claim plane in
  match first.complaint with
  | Some why -> refuse (explain why)
  | None ->
    let state, number = check_rows first width 1 count in
    match state.complaint with
    | Some why -> refuse (Printf.sprintf "row %d: %s" number (explain why))
    | None ->
      if not (ended ()) then malformed "something follows the last row";
      match finish state with
      | Refused why -> refuse (explain why)
      | Accepted ->
          Printf.printf "accepted: %s rows + and %s rows -, %d columns, %s intercept; %s%s\n"
            (Z.to_string claim.plus) (Z.to_string claim.minus) width (if claim.intercept then "with" else "without")
            (proved claim)
            (match List.length claim.relations with
             | 0 -> "" | n -> Printf.sprintf "; %d nonzero vectors vanish on every row" n);
          0
let () =
  set_binary_mode_in stdin true;
  exit (try run () with
    | Malformed text -> Printf.printf "malformed: line %d: %s\n" !line text; 3
    | problem -> Printf.printf "malformed: line %d: %s\n" !line (Printexc.to_string problem); 3)
