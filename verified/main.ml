(* Reads a claim, then its rows one at a time, and hands them to the checkers that were extracted from Coq.
   The text is described to the letter in README.md. Nothing here is proved. *)
open Checker
module Z = Whole

exception Malformed of string
let malformed text = raise (Malformed text)

(* The input: the bytes of [buffer] from [here] to [stop], after which there is a 0. *)
let buffer = ref (Bytes.make 65536 '\000')
let here = ref 0
let stop = ref 0
let line = ref 1
let byte at = Bytes.get !buffer at
let refill () =   (* false if the input has ended *)
  let kept = !stop - !here in
  let old = !buffer in
  if 2 * kept > Bytes.length old then buffer := Bytes.make (2 * Bytes.length old) '\000';
  Bytes.blit old !here !buffer 0 kept;
  let read = input stdin !buffer kept (Bytes.length !buffer - 1 - kept) in
  here := 0; stop := kept + read;
  Bytes.set !buffer !stop '\000';
  read > 0
let ready () = if !stop - !here < 64 then ignore (refill ())
let ended () = !here = !stop && not (refill ())
let expect c what = if ended () || byte !here <> c then malformed (what ^ " expected") else incr here
let space () = if byte !here = ' ' then incr here else expect ' ' "a space"
let newline () = expect '\n' "the end of the line"; incr line
let word () =   (* up to a space or the end of the line *)
  let rec past length =
    if !here + length = !stop then if refill () then past length else length
    else if byte (!here + length) > ' ' then past (length + 1) else length in
  let length = past 0 in
  here := !here + length;
  Bytes.sub_string !buffer (!here - length) length
let keyword text = if word () <> text then malformed ("\"" ^ text ^ "\" expected")

(* Whole numbers: decimal, or hexadecimal after 0x; a minus before; no needless zeros. *)
let rec digits text at value =
  let digit = Char.code (Bytes.get text at) - 48 in
  if digit lor (9 - digit) >= 0 then digits text (at + 1) (10 * value + digit) else (here := at; value)
let short () =   (* -1, and nothing is read, if it is not a decimal number below 4·10^18, which a machine word holds *)
  let start = !here in
  let value = digits !buffer start 0 in
  let length = !here - start in
  let fits = length < 19 || (length = 19 && byte start < '4') in
  if length > 0 && fits && byte !here <= ' ' && (length = 1 || byte start > '0') then value else (here := start; -1)
let long () =
  let text = word () in
  let rest first = String.sub text first (String.length text - first) in
  let body = if text <> "" && text.[0] = '-' then rest 1 else text in
  let good digit text = text <> "" && text.[0] <> '0' && String.for_all digit text in
  let decimal c = c >= '0' && c <= '9' in
  let hexadecimal c = decimal c || (c >= 'a' && c <= 'f') in
  let hex = String.length body > 2 && String.sub body 0 2 = "0x" in
  if hex && good hexadecimal (String.sub body 2 (String.length body - 2)) || good decimal body then Z.of_string text
  else malformed "a whole number expected"
let number () =
  ready ();
  if byte !here <> '-' then (let value = short () in if value >= 0 then Z.of_int value else long ())
  else begin
    incr here;
    let value = short () in
    if value > 0 then Z.of_int (- value) else (decr here; long ())
  end
let natural () =   (* of counts and columns *)
  ready ();
  let value = short () in
  if value >= 0 && value <= 1_000_000_000_000_000 then value else malformed "a decimal number up to 10^15 expected"
let flag () = match natural () with 0 -> false | 1 -> true | _ -> malformed "0 or 1 expected"

(* Vectors, the last column first. *)
let rec entries width count before read =
  if count = 0 then read
  else begin
    space ();
    let j = natural () in
    if j <= before || j > width then malformed "columns must increase and lie within the data";
    space ();
    entries width (count - 1) j (Entry (Z.of_int j, number (), read))
  end
let rec values width j read =
  if j > width then read else (space (); values width (j + 1) (Entry (Z.of_int j, number (), read)))
let sparse width =
  if ended () then malformed "a vector expected";
  if byte !here = '*' then (incr here; values width 1 End) else entries width (natural ()) 0 End

let ratio () =
  space (); let num = number () in
  space (); let den = number () in
  { num; den }
let field name read = keyword name; space (); let value = read () in newline (); value
let rec times count f = if count = 0 then [] else let first = f () in first :: times (count - 1) f

let claim () =
  let verdict = field "verdict" word in
  let width = field "columns" natural in
  if width < 1 || width > 10_000_000 then malformed "the number of columns must be from 1 to 10000000";
  let intercept = field "intercept" flag in
  let last = if intercept then width + 1 else width in
  let says = match verdict with
    | "separable" ->
        keyword "margin";
        let lo = ratio () in
        let hi = ratio () in
        let radius = ratio () in
        space ();
        let bound = number () in
        newline (); Separable (lo, hi, radius, bound)
    | "inseparable" -> Inseparable (field "covered" flag)
    | "quasi-separable" -> Quasi_separable (field "covered" flag)
    | _ -> malformed "no such verdict" in
  let plane = field "plane" (fun () -> sparse last) in
  let count = field "relations" natural in
  if count > last then malformed "more relations than columns";
  let relations = times count (fun () -> field "relation" (fun () -> sparse last)) in
  let plus, minus = field "rows" (fun () -> let plus = natural () in space (); plus, natural ()) in
  { width = Z.of_int width; intercept; says; relations; plus = Z.of_int plus; minus = Z.of_int minus }, plane, width,
  plus + minus

(* What the checker wants to have guessed; it looks whether the guess is right. *)
let rec widest bits = function End -> bits | Entry (_, v, rest) -> widest (max bits (Z.numbits v)) rest
let rec shrink bits s out = match s with
  | End -> reverse out End
  | Entry (k, v, rest) -> shrink bits rest (Entry (k, Z.shift_right v bits, out))
let guess says plane = match says with
  | Separable (lo, _, radius, _) when Z.sign lo.den > 0 && Z.sign radius.den > 0 ->
      let bits = max 0 (widest 0 plane - 29) in
      let over q x = Z.fdiv (Z.mul (square q.num) x) (square q.den) in
      { near = Z.succ (Z.sqrt (over lo (squares plane Z.zero))); reach = over radius Z.one;
        grain = Z.shift_left Z.one bits; most = Z.of_int (1 lsl 29 + 1); rough = shrink bits plane End }
  | _ -> { near = Z.zero; reach = Z.zero; grain = Z.zero; most = Z.zero; rough = End }

let item width =
  if ended () then malformed "+ or - expected";
  let label = match byte !here with '+' -> true | '-' -> false | _ -> malformed "+ or - expected" in
  incr here;
  space (); let over = number () in
  if Z.sign over <= 0 then malformed "a row over 0";
  space (); let weight = number () in
  space (); let cover = number () in
  space (); let named = flag () in
  space (); let entries = sparse width in
  newline ();
  { data = { label; over; entries; named }; weight; cover }

let explain = function
  | Bad_ratio -> "lo, hi and radius must be positive" | Bad_guess -> "what main.ml guessed is wrong"
  | Bad_plane -> "the plane is not one, or none is called for" | Bad_relation -> "a relation is zero"
  | Bad_over -> "it is over 0" | Bad_columns -> "its columns do not increase"
  | Relation_fails -> "a relation does not vanish on it" | Negative_weight -> "its weight is negative"
  | Margin_fails -> "its margin is not what the claim needs" | Lo_fails -> "its margin is below lo"
  | Radius_fails -> "it is longer than radius" | Bound_fails -> "the bound is below radius²/lo²"
  | Hi_fails -> "the combination does not prove hi" | Bad_cover -> "its weight in the cover is not what the claim needs"
  | Bad_name -> "it is named, which only quasi-separable claims do"
  | Wrong_sizes -> "the rows of the classes are not as many as stated" | One_class -> "there are rows of one class only"
  | No_weight -> "no weight is positive" | Witness_fails -> "the rows do not sum to zero under the witness"
  | Cover_fails -> "the rows do not sum to zero under the cover" | No_name -> "no row is named as on the right side"

let short z = if Z.numbits z < 200 then Z.to_string z else Printf.sprintf "(a number of %d bits)" (Z.numbits z)
let several n noun = Printf.sprintf "%s %s%s" n noun (if n = "1" then "" else "s")
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
let accept text = print_endline ("accepted: " ^ text); 0
let judge next doubt finish accepted first count =   (* the rows one after the other, as long as nothing is in doubt *)
  let rec rows state number =
    match doubt state with
    | Some why -> refuse (if number = 0 then why else Printf.sprintf "row %d: %s" number why)
    | None when number < count -> rows (next state) (number + 1)
    | None ->
      if not (ended ()) then malformed "something follows the last row";
      match finish state with Some why -> refuse why | None -> accept (accepted state) in
  rows first 0
let planes () =
  let claim, plane, width, count = claim () in
  let accepted _ =
    Printf.sprintf "%s + and %s -, %s, %s intercept; %s%s"
      (several (Z.to_string claim.plus) "row") (several (Z.to_string claim.minus) "row")
      (several (string_of_int width) "column") (if claim.intercept then "with" else "without") (proved claim)
      (match List.length claim.relations with
       | 0 -> "" | n -> "; " ^ several (string_of_int n) "relation" ^ " between the columns") in
  judge (fun state -> step state (item width)) (fun state -> Option.map explain state.complaint)
    (fun state -> match finish state with Refused why -> Some (explain why) | Accepted -> None)
    accepted (start claim plane (guess claim.says plane)) count

(* Regressions. *)
let fates = [ "finite", Finite; "+inf", Plus_infinite; "-inf", Minus_infinite; "undetermined", Undetermined;
              "aliased", Aliased ]
let extents = [ "complete", Complete; "quasi-complete", Quasi_complete; "overlap", Overlap ]
let one_of words what = let text = word () in try List.assoc text words with Not_found -> malformed ("no such " ^ what)
let regression () =
  let extent_is = field "verdict" (fun () -> one_of extents "verdict") in
  let given = field "columns" natural in
  let with_intercept = field "intercept" flag in
  let counts = field "counts" flag in
  let classes = field "classes" natural in
  if given > 10_000_000 || classes < 2 || classes > 10_000_000 || (counts && classes > 2) then
    malformed "there are at most 10000000 columns, and from 2 to as many classes, 2 if they are counts";
  let wide = (classes - 1) * (if with_intercept then given + 1 else given) in
  keyword "coefficients";
  let estimates = times wide (fun () -> space (); one_of fates "estimate") in
  newline ();
  { given = Z.of_int given; with_intercept; others = Z.of_int (classes - 1); counts; extent_is; estimates },
  given, classes, wide
let vectors_of name read = let count = field name natural in times count read
let space_of name wide =
  let own () =
    let column = natural () in
    space (); Z.of_int column, sparse wide in
  let basis = vectors_of name (fun () -> field "vector" own) in
  { basis; units = field "units" (fun () -> sparse wide) }
let evidence wide =
  let plane () = field "plane" (fun () -> sparse wide) in
  let first = plane () in
  let further = vectors_of "planes" plane in
  let constant = space_of "constant" wide in
  let hull = space_of "hull" wide in
  { first; further; constant; hull; times = field "times" (fun () -> sparse wide) }
let versus wide rival =
  space (); let beats = flag () in
  space (); let tying = number () in
  space (); let for_constant = sparse wide in
  space (); let for_hull = sparse wide in
  space (); let for_sign = sparse wide in
  { rival = Z.of_int rival; beats; tying; for_constant; for_hull; for_sign }
let observed given classes wide =
  let own = natural () in
  if own >= classes then malformed "no such class";
  space (); let under = number () in
  space (); let cells = sparse given in
  let rec rivals k = if k = classes then [] else if k = own then rivals (k + 1) else
    let first = versus wide k in first :: rivals (k + 1) in
  let against = rivals 0 in
  newline ();
  { own = Z.of_int own; under; cells; against }

let explain_doubt = function
  | Bad_space -> "a vector does not have its column alone, or a column is left out" | Bad_vector -> "a plane is not one"
  | Bad_observation -> "it is over 0, or its columns do not increase" | Off_first -> "z·w is not what the claim needs"
  | Off_further -> "it is on the wrong side of a plane" | Off_constant -> "a vector of the constants is not zero on it"
  | Off_hull -> "it has a weight for the hull, and is separated or not zero on it"
  | Bad_tying -> "its weight in the cover is not what the claim needs" | Bad_sign_weight -> "a weight of a sign is negative"
  | Wrong_extent -> "the verdict is another" | Cover_not_zero -> "the tied rows do not sum to zero under the cover"
  | Constant_not_all -> "the constants are not shown to be all" | Hull_not_all -> "the hull is not shown to be all"
  | Sign_not_forced -> "a sum of rows does not have the sign that it is said to force"
  | Bad_estimate -> "a coefficient is not proved to be what is claimed"
let name_of value words = fst (List.find (fun (_, other) -> other = value) words)
let regressions () =
  let claim, given, classes, wide = regression () in
  let prepared = prepare claim (evidence wide) in
  let count = field "rows" natural in
  let separated = ref 0 in
  let next state =
    let row = observed given classes wide in
    List.iter (fun v -> if v.beats then incr separated) row.against;
    next prepared state row in
  let accepted _ =
    let counted (name, fate) = match List.length (List.filter (( = ) fate) claim.estimates) with
      | 0 -> [] | n -> [ Printf.sprintf "%d %s" n name ] in
    name_of claim.extent_is extents ^ ": " ^ String.concat ", " (List.concat_map counted fates)
    ^ if !separated = 0 then "" else
      Printf.sprintf "; %d of %s separated" !separated (several (string_of_int (count * (classes - 1))) "row") in
  judge next (fun state -> Option.map explain_doubt state.doubted)
    (fun state -> Option.map explain_doubt (conclude prepared state)) accepted (start_rows prepared) count

let run () =
  let heading = word () in
  let judged = match heading with
    | "novikoff-verified" -> planes
    | "novikoff-verified-separation" -> regressions
    | _ -> malformed "\"novikoff-verified\" expected" in
  space ();
  if natural () <> 1 then malformed "version 1 expected";
  newline ();
  judged ()
let () =
  set_binary_mode_in stdin true;
  exit (try run () with
    | Malformed text -> Printf.printf "malformed: line %d: %s\n" !line text; 3
    | problem -> Printf.printf "malformed: line %d: %s\n" !line (Printexc.to_string problem); 3)
