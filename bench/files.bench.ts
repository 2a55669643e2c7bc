import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '#test/support/ports.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const ENTRIES = 1_000
const ROUNDS = 15
const DOWNLOADS = 3
const DOWNLOAD_MIB = 1_024
const CONTAINER = 'fleetpress-site-first'
const WORD = 'wp_insert_post'

const port = await freePort()
await using house = await warmServer({ env: { FLEETPRESS_PORT: String(port) } })
const { panel, shell } = house
await panel.listen()
const address = `http://localhost:${port}/api/sites/first/files`
const headers = { authorization: `Bearer ${panel.token.manage}` }

/** In the container, as its site. */
const inSite = (script: string) => shell(`docker exec ${CONTAINER} bash -c '${script}'`)

const takenMs = async (act: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** Timed on the server itself, so that the peer does not pay for being started from here. */
const timedThere = async (command: string): Promise<number> =>
  Number(await shell(`began=$(date +%s%N); ${command} > /dev/null; echo $((($(date +%s%N) - began) / 1000))`)) / 1000

const ask = async (path: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${address}${path}`, { headers })
  assert.equal(answer.status, 200, `${path}: ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

const alternate = async (rounds: number, ours: () => Promise<void>, theirs: string) => {
  const taken = { ours: [] as number[], theirs: [] as number[] }
  await ours()
  await timedThere(theirs)
  for (let round = 0; round < rounds; round += 1) {
    taken.ours.push(await takenMs(ours))
    taken.theirs.push(await timedThere(theirs))
  }
  return { ours: median(taken.ours), theirs: median(taken.theirs) }
}

await inSite(`mkdir many && cd many && touch file-{1..${ENTRIES}}`)
const list = await alternate(
  ROUNDS,
  async () => {
    const { entries } = await ask('?path=many')
    assert.equal(Array.isArray(entries) && entries.length, ENTRIES)
  },
  `docker exec ${CONTAINER} ls -la many`,
)

// As many searches as a minute allows, the first one included.
const search = await alternate(
  ROUNDS - 1,
  async () => {
    const { matches, timedOut } = await ask(`/search?mode=content&q=${WORD}`)
    assert.ok(Array.isArray(matches) && matches.length > 50 && timedOut === false)
  },
  `docker exec ${CONTAINER} rg --no-config --no-ignore --hidden --ignore-case --fixed-strings --line-number ${WORD} .`,
)

// Half of it is packed already, as photos are, and half is text.
const half = (DOWNLOAD_MIB / 2) * 1024 ** 2
await inSite(
  `mkdir big && head -c ${half} /dev/urandom > big/photos && (head -c ${half} /dev/urandom | base64 | head -c ${half} > big/text || true)`,
)
const download = await alternate(
  DOWNLOADS,
  async () => {
    const client = spawn('curl', [
      '--silent',
      '--fail',
      '--config',
      '-',
      '--output',
      '/dev/null',
      `${address}/download?path=big`,
    ])
    client.stdin.end(`header = "authorization: ${headers.authorization}"\n`)
    assert.deepEqual(await once(client, 'close'), [0, null])
  },
  `docker exec ${CONTAINER} tar --create --file=- big | gzip -1`,
)

const speed = (ms: number) => (DOWNLOAD_MIB * 1000) / ms
report('files', [
  {
    name: `listing ${ENTRIES} entries of a folder`,
    unit: 'ms',
    ours: list.ours,
    peer: { name: 'docker exec ls -la', value: list.theirs },
    limit: { atMost: 2 },
  },
  {
    name: 'searching the contents of a WordPress',
    unit: 'ms',
    ours: search.ours,
    peer: { name: 'docker exec rg', value: search.theirs },
    limit: { atMost: 1.3 },
  },
  {
    name: `downloading a folder of ${DOWNLOAD_MIB} MiB`,
    unit: 'MiB/s',
    ours: speed(download.ours),
    peer: { name: 'docker exec tar | gzip -1 on the server', value: speed(download.theirs) },
    limit: { atLeast: 0.8 },
  },
])
