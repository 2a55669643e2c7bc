import { type Dumped, dumpWords, loadWords, type Program, signedIn } from './programs.ts'

/** Starts a new file where the dump comes to another table. The number in its name keeps the order. */
const SPLIT = `
function begin(name) {
  if (file != "") close(file)
  gsub(/[^A-Za-z0-9_.-]/, "_", name)
  file = sprintf("%s/%05d-%s.sql", folder, count++, substr(name, 1, 80))
}
BEGIN { begin("begin") }
/^-- (Table structure for table|Temporary table structure for view|Final view structure for view) \`/ {
  name = $0
  sub(/^[^\`]*\`/, "", name)
  sub(/\`[^\`]*$/, "", name)
  begin(name)
}
/^-- Dumping (events|routines) for database / { begin("routines") }
{ print > file }`

/** Words: the folder, the program that splits, then the dump. */
const DUMP = 'set -o pipefail; folder=$0 split=$1; shift; "$@" | LC_ALL=C awk -v folder="$folder" "$split"'
/** Words: the folder, then the client. */
const LOAD = 'set -o pipefail; folder=$0; cat -- "$folder"/*.sql | "$@"'

/** Into an empty folder, one file per table, all of one moment. One after the other they are the whole dump. */
export const dumpFilesProgram = (what: Dumped, folder: string): Program =>
  signedIn(what.login, ['bash', '-c', DUMP, folder, SPLIT, ...dumpWords(what)])

/** What `dumpFilesProgram` has written. */
export const loadFilesProgram = (what: Dumped, folder: string): Program =>
  signedIn(what.login, ['bash', '-c', LOAD, folder, ...loadWords(what)])
