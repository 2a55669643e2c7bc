import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sshd, startSshd } from '#test/support/sshd.ts'
import type { Host } from './host.ts'
import { LocalHost } from './local-host.ts'
import { withHostLock } from './lock.ts'
import { SshHost } from './ssh/ssh-host.ts'

const PANELS = 4
const TURNS = 5

/** Whatever has the file open. */
const endHolder = (file: string): void => {
  const [, pid] = globSync('/proc/[0-9]*/fd/9').flatMap(path =>
    linkOf(path) === file ? path.split('/').slice(1, 3) : [],
  )
  process.kill(Number(pid), 'SIGKILL')
}

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

describe('a lock on a server', { timeout: 300_000 }, () => {
  let sshd: Sshd
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-lock-'))
  const opened: SshHost[] = []

  before(async () => {
    sshd = await startSshd()
  })
  after(async () => {
    await Promise.all(opened.map(host => host.close()))
    await sshd.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const sshHost = (): Host => {
    const host = new SshHost({ name: 'server 2', target: async () => sshd.target() })
    opened.push(host)
    return host
  }
  const kinds: Record<string, () => Host> = { 'the local machine': () => new LocalHost(), SSH: sshHost }

  for (const [kind, connect] of Object.entries(kinds)) {
    const file = join(folder, `${kind}/lock`)

    it(`lets one in at a time, whichever panel asks (${kind})`, async () => {
      const counter = join(folder, `${kind}.count`)
      writeFileSync(counter, '0')
      const addOne = async () => {
        const count = Number(readFileSync(counter, 'utf8'))
        await sleep(5)
        writeFileSync(counter, String(count + 1))
      }
      const panels = Array.from({ length: PANELS }, connect)
      const turns = panels.flatMap(host => Array.from({ length: TURNS }, () => withHostLock(host, file, addOne)))
      await Promise.all(turns)
      assert.equal(readFileSync(counter, 'utf8'), String(PANELS * TURNS))
    })

    it(`is free again when the work fails (${kind})`, async () => {
      const fails = withHostLock(connect(), file, () => Promise.reject(new Error('planted')))
      await assert.rejects(fails, /planted/)
      assert.equal(await withHostLock(connect(), file, async () => 'in', { waitMs: 1000 }), 'in')
    })

    it(`is waited for only so long (${kind})`, async () => {
      await withHostLock(connect(), file, async () => {
        await assert.rejects(
          withHostLock(connect(), file, async () => assert.fail(), { waitMs: 1000 }),
          { code: 'host_timeout' },
        )
      })
    })

    it(`tells the work when it is lost, and lets the next one in (${kind})`, async () => {
      const held = withHostLock(connect(), file, async lost => {
        endHolder(file)
        await assert.rejects(sleep(10_000, undefined, { signal: lost }), { name: 'AbortError' })
        assert.equal(await withHostLock(connect(), file, async () => 'in', { waitMs: 1000 }), 'in')
      })
      await assert.rejects(held, { code: 'command_failed' })
    })
  }

  it('is let go when the connection is cut', async () => {
    const file = join(folder, 'cut/lock')
    const held = withHostLock(sshHost(), file, async lost => {
      await sshd.kill()
      await assert.rejects(sleep(60_000, undefined, { signal: lost }), { name: 'AbortError' })
      assert.equal(await withHostLock(new LocalHost(), file, async () => 'in', { waitMs: 30_000 }), 'in')
    })
    await assert.rejects(held, { code: 'host_unreachable' })
    await sshd.start()
  })
})
