import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '#test/fleet/run.ts'
import { freePort } from '#test/support/ports.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { MAX_CHUNK_BYTES } from './uploads/contract.ts'

const MIB = 1024 ** 2
const SIZE = SOAK ? 2_048 * MIB : 256 * MIB
const CHUNKS = SIZE / MAX_CHUNK_BYTES
const CUTS = 20
const GROWTH_LIMIT_MIB = 64
const LOOK_EVERY_MS = 50
const SLUG = 'hello'
const LIMITS = { timeoutMs: 30 * 60_000 }

const residentMiB = (): number => process.memoryUsage.rss() / MIB

/** How far the panel, which is this process, rose above where it began, at its worst. */
const grownDuring = async (work: () => Promise<void>): Promise<number> => {
  const before = residentMiB()
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB())
  }, LOOK_EVERY_MS)
  await work().finally(() => clearInterval(looking))
  return most - before
}

describe(`${SIZE / MIB} MiB to a site and back`, { timeout: 60 * 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-large-'))
  const [whole, chunk, answer] = ['whole', 'chunk', 'answer'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  let house: SiteHouse
  let address: string
  let sum: string
  before(async () => {
    const port = await freePort()
    house = await siteHouse(1, { env: { FLEETPRESS_PORT: String(port) } })
    await house.create(SLUG)
    await house.panel.listen()
    address = `http://localhost:${port}/api/sites/${SLUG}/files`
    await run('bash', ['-c', 'head -c "$1" /dev/urandom > "$2"', 'fill', String(SIZE), whole], LIMITS)
    sum = await sumOf(whole)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const sumOf = async (file: string) => (await run('sha256sum', [file], LIMITS)).slice(0, 64)
  const curl = (...words: string[]) => {
    const client = spawn('curl', ['--silent', '--config', '-', ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
    client.stdin.end(`header = "authorization: Bearer ${house.panel.token.manage}"\n`)
    return client
  }
  /** Undefined for one that was cut off before its answer. */
  const send = async (id: string, offset: number, size: number, isCut: boolean) => {
    const at = offset / MAX_CHUNK_BYTES
    await run('dd', [`if=${whole}`, `of=${chunk}`, `bs=${MAX_CHUNK_BYTES}`, `skip=${at}`, 'count=1', 'status=none'])
    const query = new URLSearchParams({ path: `${id}.bin`, offset: String(offset), size: String(size) })
    const type = ['--header', 'content-type: application/octet-stream', '--header', 'expect:']
    const pace = isCut ? ['--limit-rate', '16M'] : []
    const words = ['--request', 'PUT', '--data-binary', `@${chunk}`, '--output', answer, '--write-out', '%{http_code}']
    const client = curl(...type, ...pace, ...words, `${address}/uploads/${id}?${query.toString()}`)
    let status = ''
    client.stdout.on('data', text => {
      status += String(text)
    })
    const ended = once(client, 'close')
    if (isCut) {
      await sleep(randomInt(600))
      client.kill('SIGKILL')
    }
    await ended
    return status === '' || status === '000'
      ? undefined
      : { status: Number(status), text: readFileSync(answer, 'utf8') }
  }
  const upload = async (id: string, size: number, cuts: ReadonlySet<number>) => {
    const left = new Set(cuts)
    for (let offset = 0; ; ) {
      const said = await send(id, offset, size, left.delete(offset / MAX_CHUNK_BYTES))
      if (said === undefined) continue
      const { received, written, error } = JSON.parse(said.text)
      if (said.status === 429) await sleep(10_000)
      else if (said.status === 409) offset = error.details.received
      else {
        assert.equal(said.status, 200, said.text)
        offset = received
        if (written) return
      }
    }
  }
  const download = async (id: string, file: string) => {
    const [exitCode] = await once(curl('--fail', '--output', file, `${address}/download?path=${id}.bin`), 'close')
    assert.equal(exitCode, 0)
  }

  before(async () => {
    await upload('warm-up-1', 64 * MIB, new Set())
    await download('warm-up-1', join(folder, 'warm'))
  })

  it(`go up, cut off ${CUTS} times, while the panel grows by less than ${GROWTH_LIMIT_MIB} MiB`, async context => {
    const cuts = new Set<number>()
    while (cuts.size < CUTS) cuts.add(randomInt(CHUNKS))
    const grown = await grownDuring(() => upload('large-0001', SIZE, cuts))
    const server = house.servers[0] ?? assert.fail()
    const { stdout } = await server.exec(
      ['bash', '-c', `cd /srv/fleetpress/sites/${SLUG}/html && sha256sum < large-0001.bin && ls -A | grep -c upload`],
      LIMITS,
    )
    assert.equal(stdout, `${sum}  -\n0\n`)
    context.diagnostic(`grown by ${grown.toFixed(0)} MiB`)
    assert.ok(grown < GROWTH_LIMIT_MIB, `the panel grew by ${grown} MiB`)
  })

  it(`come down while it grows by less than ${GROWTH_LIMIT_MIB} MiB`, async context => {
    const file = join(folder, 'down')
    const grown = await grownDuring(() => download('large-0001', file))
    assert.equal(await sumOf(file), sum)
    context.diagnostic(`grown by ${grown.toFixed(0)} MiB`)
    assert.ok(grown < GROWTH_LIMIT_MIB, `the panel grew by ${grown} MiB`)
  })
})
