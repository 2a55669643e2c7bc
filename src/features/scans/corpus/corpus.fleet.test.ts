import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fetchOfflineCore } from '#drivers/wordpress-org/offline-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { type LocalScanner, localScanner } from '#test/support/local-scanner.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import type { Technique } from './technique.ts'
import { TECHNIQUES } from './techniques.ts'

const nameOf = ({ name, extension = 'php' }: Technique, kind: string, index: number) =>
  extension === 'htaccess' ? `${name}/${kind}/${index}/.htaccess` : `${name}/${kind}/${index}.${extension}`

describe('the rules of the scanner', { timeout: 25 * 60_000, concurrency: 1 }, () => {
  let scanner: LocalScanner
  let folder = ''

  before(async () => {
    scanner = await localScanner()
    folder = scanner.folder
    await giveCache(folder)
  })
  after(() => scanner?.[Symbol.asyncDispose]())

  it('find every sample of every technique, and none of what only looks like it', async t => {
    const source = join(folder, 'samples')
    let samples = 0
    for (const technique of TECHNIQUES)
      for (const kind of ['samples', 'honest'] as const)
        for (const [index, content] of technique[kind].entries()) {
          const path = join(source, nameOf(technique, kind, index))
          await mkdir(dirname(path), { recursive: true })
          await writeFile(path, Buffer.from(content, 'latin1'))
          samples += Number(kind === 'samples')
        }
    t.diagnostic(`${samples} samples in ${TECHNIQUES.length} techniques`)
    assert.ok(samples >= 200 && TECHNIQUES.length >= 20)
    const { found } = await scanner.scan(source)
    const byPath = Map.groupBy(found, ({ path }) => path)
    for (const technique of TECHNIQUES) {
      for (const [index, content] of technique.samples.entries()) {
        const severities = (byPath.get(nameOf(technique, 'samples', index)) ?? []).map(({ severity }) => severity)
        const isFound =
          severities.includes('confirmed') || (technique.severity === 'suspicious' && severities.length > 0)
        assert.ok(isFound, `${technique.name} is not ${technique.severity}: ${severities.join(', ')}\n${content}`)
      }
      for (const [index, content] of technique.honest.entries())
        assert.deepEqual(byPath.get(nameOf(technique, 'honest', index)), undefined, content)
    }
  })

  it('find nothing in WordPress itself, even when nothing is known of its files', async t => {
    const source = join(folder, 'core')
    await mkdir(source)
    const archive = await fetchOfflineCore({ host: scanner.host, cacheDir: join(folder, 'cache') }, 'en_US')
    await unpackCore(scanner.host, { archive: archive.path, folder: source, owner: { uid: 65_534, gid: 65_534 } })
    const { found, summary } = await scanner.scan(source)
    t.diagnostic(`${summary.files} files`)
    assert.ok(summary.files > 3000)
    assert.deepEqual(found, [])
  })
})
