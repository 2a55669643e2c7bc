/** The exit code of `READ` for what is not a regular file; no program it runs ends with it by itself. */
export const NOT_A_FILE = 65

/** Never waits for a pipe, even one that takes the file's place after the first look. */
export const READ = `
[ -f "$0" ] && exec dd if="$0" bs=256K iflag=nonblock status=none
stat -L -- "$0" > /dev/null && exit ${NOT_A_FILE}
`

/**
 * Words: path, the name to write under, mode, owner or nothing, the end of a whole file. What is done to the file is
 * done through the open file, so that no one can put another in its place in the meantime.
 */
export const REPLACE = `
set -eC
umask 077
exec 3> "$1"
trap 'rm -f -- "$1"' EXIT
[ -z "$3" ] || chown -- "$3" /dev/fd/3
chmod -- "$2" /dev/fd/3
cat >&3
[ "$(tail -c "\${#4}" /dev/fd/3)" = "$4" ]
truncate -s "-\${#4}" /dev/fd/3
sync /dev/fd/3
if [ -d "$0" ] && [ ! -L "$0" ]; then
  echo "$0: Is a directory" >&2
  exit 1
fi
mv -fT -- "$1" "$0"
trap - EXIT
sync -- "\${0%/*}/"
`

/** Words: path, mode, owner or nothing. Acts on the folder it stands in, which no link can lead away from any more. */
export const MAKE_DIR = `
set -e
mkdir -p -- "$0"
cd -P -- "$0"
if [ -L "$0" ] || ! [ . -ef "$0" ]; then
  echo "$0: Not a directory" >&2
  exit 1
fi
[ -z "$2" ] || chown -- "$2" .
chmod -- "$1" .
`
