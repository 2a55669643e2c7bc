import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { exec } from './command.ts'
import type { Host } from './host.ts'
import { SHELL } from './shell-text.ts'
import { asFileError } from './ssh/remote-files.ts'

interface Wanted {
  /** By name. */
  readonly texts: Readonly<Record<string, string>>
  /** Names that nothing has afterwards. */
  readonly absent?: readonly string[]
  /** Writes into a file that is there: what a container has mounted would not be seen in another one. */
  readonly inPlace?: boolean
  readonly signal?: AbortSignal
}

/** Comes last, so all files are there with it: a cut connection looks like an end too. */
const LAST = '.whole'

/** Words: folder, a folder in it to unpack to, how to replace, names to remove. */
const ENSURE = `
set -e
shopt -s nullglob
umask 022
aside=$1 how=$2
shift 2
[ -d "$0" ] || mkdir -- "$0"
mkdir -m 700 -- "$aside"
trap 'rm -rf -- "$aside"' EXIT
cd -P -- "$aside"
tar -x --no-same-owner
[ -e ${LAST} ]
changed=()
for name in *; do
  cmp -s -- "$name" "../$name" || changed+=("$name")
done
[ "\${#changed[@]}" -eq 0 ] || sync -- "\${changed[@]}"
for name in "\${changed[@]}"; do
  if [ "$how" = in-place ] && [ -e "../$name" ]; then
    cat -- "$name" > "../$name"
  else
    mv -fT -- "$name" "../$name"
  fi
done
cd ..
[ "$#" -eq 0 ] || rm -f -- "$@"
[ "\${#changed[@]}" -eq 0 ] || sync -- .
`

/**
 * Makes files of a folder what they should be, in one command and each in one act. A file that has its text already is
 * left alone. For folders that only root can write to; the one around it must be there.
 */
export const ensureFiles = async (
  host: Pick<Host, 'run'>,
  folder: string,
  { texts, absent = [], inPlace = false, signal }: Wanted,
): Promise<void> => {
  const words = [folder, `${folder}/.new-${randomBytes(8).toString('hex')}`, inPlace ? 'in-place' : 'anew', ...absent]
  try {
    await host.run(exec(...SHELL, ENSURE, ...words), { stdin: archiveOf(texts), ...(signal && { signal }) })
  } catch (error) {
    throw asFileError(folder, error)
  }
}

const archiveOf = (texts: Wanted['texts']): Readable => {
  const archive = pack()
  for (const [name, text] of Object.entries({ ...texts, [LAST]: '' })) archive.entry({ name, mode: 0o644 }, text)
  archive.finalize()
  return Readable.from(archive)
}
