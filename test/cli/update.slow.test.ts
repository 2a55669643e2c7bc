import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newReleaseKey } from '#features/system/feed/signature.ts'
import { inRepository } from '../../src/cli/repository.ts'
import { ensureWeb } from '../../src/cli/up/web.ts'
import { until } from '../fleet/until.ts'
import { freePort, runProgram } from './run-cli.ts'

const LIMIT_MS = 240_000
const PARTS = [
  'fleetpress',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'src',
  'images',
  'docs',
  'dist',
]

interface Shown {
  current: string
  update: {
    id: string
    status: string
    to: string
    error: string | null
    steps: { id: string; status: string }[]
  } | null
}

describe('an update of the panel', { timeout: 900_000 }, () => {
  // On the disk of the packages, which are linked instead of copied; temporary files may lie in memory.
  const cache = inRepository('.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'update-'))
  const install = join(folder, 'install')
  const feed = join(folder, 'feed')
  const dataDir = join(folder, 'data')
  const key = newReleaseKey()
  const env: Record<string, string> = { FLEETPRESS_DATA: dataDir }
  let origin = ''
  let token = ''
  let web: Server

  /** This repository as another version, trusted by and trusting the key of the test. */
  const copyAs = (version: string, target: string, takeModules: (from: string, to: string) => void): void => {
    mkdirSync(target, { recursive: true })
    for (const part of PARTS) cpSync(inRepository(part), join(target, part), { recursive: true })
    takeModules(inRepository('node_modules'), join(target, 'node_modules'))
    const file = join(target, 'package.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`))
    writeFileSync(join(target, 'src/features/system/feed/trusted-keys.json'), JSON.stringify([key.publicKey]))
  }
  const release = async (version: string, spoil: (root: string) => void = () => {}): Promise<void> => {
    const source = join(folder, `source-${version}`)
    copyAs(version, source, symlinkSync)
    spoil(source)
    const words = ['release', 'build', feed, '--key', join(folder, 'key.pem')]
    good(await runProgram(join(source, 'fleetpress'), words, { env, limitMs: LIMIT_MS }))
    rmSync(source, { recursive: true, force: true })
  }
  const good = (ended: { code: number | null; stdout: string; stderr: string }): string => {
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
    return ended.stdout
  }
  const current = (...words: string[]) =>
    runProgram(join(install, 'current', 'fleetpress'), words, { env, limitMs: LIMIT_MS })
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const shown = async (): Promise<Shown | undefined> => {
    const answer = await ask('GET', '/api/system/update').catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as Shown) : undefined
  }
  const waitFor = (what: (shown: Shown) => boolean): Promise<void> =>
    until(
      'The update',
      async () => {
        const found = await shown()
        return found !== undefined && what(found)
      },
      LIMIT_MS,
    )
  const begin = async (version: string): Promise<void> => {
    const answer = await ask('POST', '/api/system/update', { version })
    assert.equal(answer.status, 202, await answer.clone().text())
  }
  const versionInUse = (): string => normalize(readlinkSync(join(install, 'current'))).replace('releases/', '')

  before(async () => {
    await ensureWeb()
    writeFileSync(join(folder, 'key.pem'), key.privateKeyPem, { mode: 0o600 })
    web = createServer((request, response) => {
      const file = join(feed, normalize(request.url ?? '/'))
      return existsSync(file) ? response.end(readFileSync(file)) : response.writeHead(404).end()
    })
    await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
    env.FLEETPRESS_PORT = String(await freePort())
    origin = `http://127.0.0.1:${env.FLEETPRESS_PORT}`
    copyAs('0.2.0', join(install, 'releases', '0.2.0'), (from, to) => execFileSync('cp', ['-al', from, to]))
    symlinkSync('releases/0.2.0', join(install, 'current'))
    good(await current('up', '--detached', '--no-server'))
    token = good(await current('key', 'create', 'test', '--access', 'full')).trim()
    const feedUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/releases.json`
    assert.equal((await ask('PUT', '/api/settings', { updates: { feedUrl } })).status, 200)
    await release('0.3.0')
  })
  after(async () => {
    await current('down')
    web.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('that is killed while it watches the new version goes back, and works the second time', async () => {
    await begin('0.3.0')
    await waitFor(
      ({ update }) => update?.steps.some(({ id, status }) => id === 'watch' && status === 'running') === true,
    )
    assert.equal(versionInUse(), '0.3.0')
    const refused = await ask('POST', '/api/system/update/check')
    assert.equal(refused.status, 503)
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'maintenance')
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'update.lock'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    assert.match(good(await current('update', '--yes')), /Version 0\.2\.0 is in use/)
    assert.equal(versionInUse(), '0.2.0')
    assert.equal((await shown())?.update?.status, 'rolled_back')
    assert.match(good(await current('update', '--yes')), /Fleetpress 0\.3\.0 is running/)
    assert.equal(versionInUse(), '0.3.0')
    const found = await shown()
    assert.deepEqual([found?.current, found?.update?.status], ['0.3.0', 'succeeded'])
    assert.ok(existsSync(join(install, 'releases', '0.2.0')), 'the version before is kept')
    const jobs = await ask('GET', '/api/jobs?type=system.postUpdate')
    assert.equal(((await jobs.json()) as { total: number }).total, 1)
  })

  it('to a version that does not stay up brings the old one back with its data', async () => {
    await release('0.4.0', root => {
      const file = join(root, 'src/app/run.ts')
      const text = readFileSync(file, 'utf8')
      writeFileSync(
        file,
        text.replace('await panel.listen()', 'await panel.listen()\n    setTimeout(() => process.exit(1), 4000)'),
      )
    })
    await begin('0.4.0')
    await waitFor(({ update }) => update?.to === '0.4.0' && update.status !== 'running')
    const found = await shown()
    assert.deepEqual([found?.current, found?.update?.status], ['0.3.0', 'rolled_back'])
    assert.match(found?.update?.error ?? '', /stopped answering|doesn't start/)
    assert.equal(versionInUse(), '0.3.0')
    assert.equal((await ask('POST', '/api/system/update', { version: '0.3.0' })).status, 409, 'only ever newer')
  })

  it('whose archive was changed is refused before anything is touched', async () => {
    await release('0.5.0')
    const archive = join(feed, 'fleetpress-0.5.0.tar.gz')
    const bytes = readFileSync(archive)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(archive, bytes)
    await begin('0.5.0')
    await waitFor(({ update }) => update?.to === '0.5.0' && update.status !== 'running')
    const { update } = (await shown()) ?? {}
    assert.equal(update?.status, 'failed')
    assert.match(update?.error ?? '', /damaged/)
    assert.equal(existsSync(join(install, 'releases', '0.5.0')), false)
  })
})
