import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fetchOfflineCore } from '#drivers/wordpress-org/offline-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { scannerImage } from '../scan/image.ts'
import { askScanner, scannerSpec } from '../scan/scanner.ts'
import type { Technique } from './technique.ts'
import { TECHNIQUES } from './techniques.ts'

const LIMIT_MS = 15 * 60_000
const MIB = 1024 ** 2

interface Found {
  readonly path: string
  readonly severity: string
  readonly rule: string
}

const nameOf = ({ name, extension = 'php' }: Technique, kind: string, index: number) =>
  extension === 'htaccess' ? `${name}/${kind}/${index}/.htaccess` : `${name}/${kind}/${index}.${extension}`

describe('the rules of the scanner', { timeout: 25 * 60_000, concurrency: 1 }, () => {
  const host = new LocalHost()
  let folder = ''
  let image = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-corpus-'))
    await giveCache(folder)
    image = await ensureImage(scannerImage, { host, dataDir: folder })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const scan = async (source: string) => {
    const spec = scannerSpec({
      slug: 'corpus',
      purpose: `${process.pid}`,
      image,
      user: '65534:65534',
      mounts: [{ source, target: '/site', readOnly: true }],
      tmpfs: [{ target: '/tmp', sizeBytes: 192 * MIB }],
    })
    const found: Found[] = []
    let files = 0
    const onLine = (line: unknown) => {
      const said = line as { finding?: Found; done?: { files: number } }
      if (said.finding) found.push(said.finding)
      files = said.done?.files ?? files
    }
    const request = { rules: 'test', maxSeconds: 600, maxFiles: 100_000 }
    await askScanner(host, spec, { op: 'scan', request, timeoutMs: LIMIT_MS, onLine })
    return { found, files }
  }

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
    const { found } = await scan(source)
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
    const archive = await fetchOfflineCore({ host, cacheDir: join(folder, 'cache') }, 'en_US')
    await unpackCore(host, { archive: archive.path, folder: source, owner: { uid: 65_534, gid: 65_534 } })
    const { found, files } = await scan(source)
    t.diagnostic(`${files} files`)
    assert.ok(files > 3000)
    assert.deepEqual(found, [])
  })
})
