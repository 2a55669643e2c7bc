import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { fetchOfflineCore } from '#drivers/wordpress-org/offline-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { exec } from '#platform/host/command.ts'
import { localScanner, scannerView } from '#test/support/local-scanner.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { type Figure, median, report } from './report.ts'

const ROUNDS = 3
const LIMIT_MS = 30 * 60_000
/** Where Debian and freshclam keep signatures. Without them clamscan looks for nothing, and comparing says nothing. */
const SIGNATURES = '/var/lib/clamav'

await using scanner = await localScanner()
const { host, image, folder } = scanner
await giveCache(folder)
const site = join(folder, 'site')
const archive = await fetchOfflineCore({ host, cacheDir: join(folder, 'cache') }, 'en_US')
await host.makeDir(site)
await unpackCore(host, { archive: archive.path, folder: site, owner: { uid: 65_534, gid: 65_534 } })

const sums: Record<string, string[]> = {}
for (const entry of await readdir(site, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const path = join(entry.parentPath, entry.name)
  sums[relative(site, path)] = [
    createHash('md5')
      .update(await readFile(path))
      .digest('hex'),
  ]
}
const core = { kind: 'core', slug: 'wordpress', version: 'x', prefix: '', sums, closed: ['wp-admin/'], loose: '' }
const request = JSON.stringify({ trees: [core], rules: 'bench', wasClean: true, maxSeconds: 600, maxFiles: 1_000_000 })

const docker = dockerOf(host)
const spec = scannerView(image, site)
await dropContainer(docker, spec.name)
await ensureContainer(docker, spec)

const timed = async (argv: readonly [string, ...string[]], stdin = ''): Promise<number> => {
  const began = performance.now()
  const { exitCode, stderr } = await execIn(docker, spec.name, argv, { stdin, timeoutMs: LIMIT_MS })
  if (exitCode !== 0) throw new Error(stderr)
  return performance.now() - began
}
const yara = ['yara', '-C', '-r', '-w', '-p', '2', '/opt/fleetpress/rules/compiled', '/site'] as const

const figures: Record<'fresh' | 'again' | 'yara' | 'start', number[]> = { fresh: [], again: [], yara: [], start: [] }
for (let round = 0; round < ROUNDS; round += 1) {
  await timed(['rm', '-f', '/state/seen.gz'])
  figures.fresh.push(await timed(['site-scan', 'scan'], request))
  // What the engine takes to start a program is no work of the scanner.
  figures.start.push(await timed(['true'], request))
  figures.again.push(await timed(['site-scan', 'scan'], request))
  figures.yara.push(await timed(yara))
}
await dropContainer(docker, spec.name)

const clamscan = async (): Promise<number | undefined> => {
  const hasSignatures = await readdir(SIGNATURES).then(
    names => names.some(name => /^(main|daily)\.c[lv]d$/.test(name)),
    () => false,
  )
  if (!hasSignatures) return undefined
  const began = performance.now()
  await host.run(exec('clamscan', '-r', '-i', '--quiet', site), { timeoutMs: LIMIT_MS, allowExitCodes: [1] })
  return performance.now() - began
}

const fresh = median(figures.fresh)
const clamMs = await clamscan()
if (clamMs === undefined) console.log('clamscan or its signatures are not on this machine; that figure is left out')
report('scan', [
  ...(clamMs === undefined
    ? []
    : [
        {
          name: 'a scan of a fresh site',
          unit: 'ms',
          ours: fresh,
          peer: { name: 'clamscan', value: clamMs },
          limit: { atMost: 1 / 50 },
        } satisfies Figure,
      ]),
  {
    name: 'a scan of a fresh site',
    unit: 'ms',
    ours: fresh,
    peer: { name: 'yara over all files', value: median(figures.yara) },
    limit: { atMost: 1 / 1.5 },
  },
  {
    name: 'a scan when nothing has changed, without the start of a program',
    unit: 'ms',
    ours: median(figures.again) - median(figures.start),
    limit: { atMost: 100 },
  },
])
