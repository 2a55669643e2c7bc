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
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newReleaseKey } from '#features/system/feed/signature.ts'
import { findUpdate, hasBegun, type UpdateStep, updateLock } from '#features/system/index.ts'
import { inRepository } from '../../src/cli/repository.ts'
import { ensureWeb } from '../../src/cli/up/web.ts'
import { type Ended, runProgram } from '../cli/run-cli.ts'
import { until } from '../fleet/until.ts'
import type { Engine } from './panel.ts'
import { freePort } from './ports.ts'
import { newPostgresDatabase } from './postgres.ts'

const LIMIT_MS = 240_000
export const FIRST = '0.2.0'
/** What makes another version of this repository. */
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

export interface Shown {
  current: string
  update: {
    id: string
    status: string
    to: string
    error: string | null
    steps: { id: string; status: string }[]
  } | null
}

/** A panel that was installed from a release of this repository, as a process of its own, and a feed with newer ones. */
export interface PanelInstall {
  readonly origin: string
  readonly dataDir: string
  readonly feed: string
  readonly key: { privateKeyPem: string }
  /** Where the owner is created. */
  setupLink(): Promise<string>
  /** What the server of the feed answers instead of a file, by path. */
  readonly instead: Map<string, (response: ServerResponse) => void>
  /** Builds this repository as a version, after a change to it, and adds it to the feed. */
  release(version: string, change?: (root: string) => void): Promise<void>
  /** Runs a command of the version in use. */
  run(...words: string[]): Promise<Ended>
  ask(method: string, path: string, body?: unknown): Promise<Response>
  shown(): Promise<Shown | undefined>
  begin(version: string): Promise<void>
  /** Waits for the end of an update to a version. */
  ended(version: string): Promise<NonNullable<Shown['update']>>
  /** Waits until an update has begun a step. */
  reached(step: UpdateStep): Promise<void>
  /** Kills the process of the update, and with `alone: false` what waits for it and the panel, too. */
  kill(how: { alone: boolean }): void
  versionInUse(): string
  [Symbol.asyncDispose](): Promise<void>
}

export const good = ({ code, stdout, stderr }: Ended): string => {
  assert.equal(code, 0, `${stdout}${stderr}`)
  return stdout
}

/** This repository as another version, trusted by and trusting one key. */
const copyAs = (
  version: string,
  target: string,
  publicKey: string,
  takeModules: (from: string, to: string) => void,
) => {
  mkdirSync(target, { recursive: true })
  for (const part of PARTS) cpSync(inRepository(part), join(target, part), { recursive: true })
  takeModules(inRepository('node_modules'), join(target, 'node_modules'))
  const file = join(target, 'package.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`))
  writeFileSync(join(target, 'src/features/system/feed/trusted-keys.json'), JSON.stringify([publicKey]))
}

const serveFolder = async (folder: string, instead: PanelInstall['instead'], held: AsyncDisposableStack) => {
  const web = createServer((request, response) => {
    const path = normalize(request.url ?? '/')
    const other = instead.get(path)
    if (other) return other(response)
    const file = join(folder, path)
    return existsSync(file) ? response.end(readFileSync(file)) : response.writeHead(404).end()
  })
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  held.defer(() => {
    web.close()
    web.closeAllConnections()
  })
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}/releases.json`
}

/** The requests of someone with a key. */
const asker =
  (origin: string, token: string): PanelInstall['ask'] =>
  (method, path, body) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

/** Some steps are over in a moment, so one that was begun may be over. */
const reacher =
  (dataDir: string): PanelInstall['reached'] =>
  async step => {
    const hasReached = (): boolean => {
      const state = findUpdate(dataDir)
      return state?.status === 'running' && hasBegun(state, step)
    }
    for (const endsAt = Date.now() + LIMIT_MS; !hasReached(); await sleep(2))
      assert.ok(Date.now() < endsAt, `the step ${step} was not reached`)
  }

const pidIn = (file: string): number => (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const killer =
  (dataDir: string): PanelInstall['kill'] =>
  ({ alone }) => {
    const updater = pidIn(updateLock(dataDir))
    const record = join(dataDir, 'panel.json')
    const others = alone ? [] : [parentOf(updater), ...(existsSync(record) ? [pidIn(record)] : [])]
    for (const pid of [...others, updater]) killIfThere(pid)
  }

const partsOf = async (engine: Engine, held: AsyncDisposableStack) => {
  // On the disk of the packages, which are linked instead of copied; temporary files may lie in memory.
  const cache = inRepository('.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'update-'))
  held.defer(() => rmSync(folder, { recursive: true, force: true }))
  const keyFile = join(folder, 'key.pem')
  const key = newReleaseKey()
  writeFileSync(keyFile, key.privateKeyPem, { mode: 0o600 })
  const env: Record<string, string> = {
    FLEETPRESS_DATA: join(folder, 'data'),
    FLEETPRESS_PORT: String(await freePort()),
    ...(engine === 'postgres' && { DATABASE_URL: await newPostgresDatabase() }),
  }
  return { folder, key, keyFile, env, install: join(folder, 'install'), feed: join(folder, 'feed') }
}

const NOTES = 'More of what you like.\nLess of what you do not.'

export const panelInstall = async (engine: Engine = 'sqlite'): Promise<PanelInstall> => {
  await ensureWeb()
  const held = new AsyncDisposableStack()
  try {
    const { folder, key, keyFile, env, install, feed } = await partsOf(engine, held)
    const dataDir = join(folder, 'data')
    const instead: PanelInstall['instead'] = new Map()
    const run: PanelInstall['run'] = (...words) =>
      runProgram(join(install, 'current', 'fleetpress'), words, { env, limitMs: LIMIT_MS })
    const release: PanelInstall['release'] = async (version, change = () => {}) => {
      const source = join(folder, `source-${version}`)
      copyAs(version, source, key.publicKey, symlinkSync)
      change(source)
      writeFileSync(join(folder, 'notes.txt'), NOTES)
      const words = ['release', 'build', feed, '--key', keyFile, '--notes', join(folder, 'notes.txt')]
      good(await runProgram(join(source, 'fleetpress'), words, { env, limitMs: LIMIT_MS }))
      rmSync(source, { recursive: true, force: true })
    }
    copyAs(FIRST, join(install, 'releases', FIRST), key.publicKey, (from, to) => execFileSync('cp', ['-al', from, to]))
    symlinkSync(`releases/${FIRST}`, join(install, 'current'))
    good(await run('up', '--detached', '--no-server'))
    held.defer(async () => void (await run('down')))
    const origin = `http://localhost:${env.FLEETPRESS_PORT}`
    const ask = asker(origin, good(await run('key', 'create', 'test', '--access', 'full')).trim())
    const feedUrl = await serveFolder(feed, instead, held)
    assert.equal((await ask('PUT', '/api/settings', { updates: { feedUrl } })).status, 200)
    const shown: PanelInstall['shown'] = async () => {
      const answer = await ask('GET', '/api/system/update').catch(() => undefined)
      return answer?.ok ? ((await answer.json()) as Shown) : undefined
    }
    return {
      origin,
      dataDir,
      feed,
      key,
      setupLink: async () => /http\S+\/setup#token=\S+/.exec(good(await run('admin', 'reset')))?.[0] ?? assert.fail(),
      instead,
      release,
      run,
      ask,
      shown,
      begin: async version => {
        const answer = await ask('POST', '/api/system/update', { version })
        assert.equal(answer.status, 202, await answer.clone().text())
      },
      ended: async version => {
        let update: Shown['update'] = null
        const isOver = async () => {
          update = (await shown())?.update ?? null
          return update?.to === version && update.status !== 'running'
        }
        await until(`The update to ${version}`, isOver, LIMIT_MS)
        return update ?? assert.fail()
      },
      reached: reacher(dataDir),
      kill: killer(dataDir),
      versionInUse: () => normalize(readlinkSync(join(install, 'current'))).replace('releases/', ''),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    }
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}
