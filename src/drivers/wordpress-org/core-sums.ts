import { stat } from 'node:fs/promises'
import { fetchCore, type WantedCore } from './fetch-core.ts'
import { checksumsIn } from './verify-files.ts'

type Sums = Readonly<Record<string, readonly string[]>>

const MOST_KEPT = 8
const kept = new Map<string, Sums>()

/** The MD5 of each file of a release, from an archive that was verified; by path. */
export const coreSums = async (wanted: WantedCore): Promise<Sums> => {
  const { path, version, locale } = await fetchCore(wanted)
  const key = `${path} ${version} ${locale} ${(await stat(path)).mtimeMs}`
  const before = kept.get(key)
  if (before) return before
  const sums = Object.fromEntries([...(await checksumsIn(path))].map(([file, md5]) => [file, [md5]]))
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, sums)
  return sums
}
