# Reads ci/night/steps, and prints a line for each step: its name, the usual
# seconds, `search` for a fuzzer, the limit in seconds, what it needs, the other
# exit codes that are no failure, what it checks, and the command, with tabs
# between them and `-` for what there is not. Prints what is wrong, and exits
# with 1.
function Bad(what) {
  print "ci/night/steps: line " NR ": " what
  exit bad = 1
}
function Seconds(text) {
  if (text !~ /^[1-9][0-9]*[smh]$/) Bad("`" text "` is not a time")
  return text * (text ~ /s$/ ? 1 : text ~ /m$/ ? 60 : 3600)
}
function Finish() {
  if (name == "") return
  if (!usual || !limit || checks == "" || run == "")
    Bad("the step before, `" name "`, is incomplete")
  print name "\t" usual "\t" search "\t" limit "\t" needs "\t" passes "\t" \
    checks "\t" run
}
continues {
  sub(/^ +/, "")
  run = run $0
  continues = sub(/\\$/, "", run)
  next
}
/^#/ || NF == 0 { next }
{ value = $0; sub(/^[^ ]+ +/, "", value); gsub(/\t/, " ", value) }
$1 == "step" {
  Finish()
  name = value
  if (name !~ /^[a-z][a-z0-9_]*$/ || name in names) Bad("name of a step")
  names[name]
  usual = limit = 0
  search = needs = passes = "-"
  checks = run = ""
  next
}
$1 == "usual" { usual = Seconds(value); next }
$1 == "search" { usual = Seconds(value); search = "search"; next }
$1 == "limit" { limit = Seconds(value); next }
$1 == "needs" && value == "store" { needs = value; next }
$1 == "passes" { passes = value; next }
$1 == "checks" { checks = value; next }
$1 == "run" { run = value; continues = sub(/\\$/, "", run); next }
{ Bad("what is `" $1 "`?") }
END { if (!bad) Finish(); exit bad }
