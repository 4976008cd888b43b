# Runs the program on every text of this folder: the first word of its answer, and its exit code, must be that of the file's name.
program=$1
folder=$(dirname "$0")
failed=0
count=0
for text in "$folder"/*.txt; do
    count=$((count + 1))
    wanted=$(basename "$text" | cut -d- -f1)
    answer=$("$program" < "$text")
    code=$?
    case $wanted in accepted) right=0 ;; refused) right=1 ;; *) right=3 ;; esac
    if [ "${answer%%:*}" != "$wanted" ] || [ $code -ne $right ]; then
        echo "$text: exit code $code, $answer"
        failed=$((failed + 1))
    fi
done
echo "$count texts, $failed answered otherwise than they should be"
[ $failed -eq 0 ]
