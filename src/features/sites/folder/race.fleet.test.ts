import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import { type LocalFolder, localFolder, OWNER } from '#test/support/files/local-folder.ts'
import { startSwapping } from '#test/support/files/swapping.ts'
import { SOAK } from '#test/support/soak.ts'
import { copyAll, copyChanged, isStillSame } from '../move/copy-files.ts'
import { ask, askForBytes, type FilesRequest } from './ask.ts'
import type { SiteFolder } from './open-folder.ts'

const ROUNDS = SOAK ? 10_000 : 12
const AT_ONCE = 3
/** Each operation takes a fraction of a second; what hangs is ended by its limit. */
const LIMIT_MS = 30_000
const SECRET = 'SECRET-OF-ROOT'
/** Only in files of the image, outside the folder. */
const FOREIGN = /SECRET-OF-ROOT|root:x:0:0|daemon|debian_version|nsswitch/

const Anything = z.unknown()

interface Race {
  requestOf(turn: number): FilesRequest
  input?: Buffer
  /** With the rights of the throwaway container that changes owners, where a mistake would weigh most. */
  isRoot?: true
}
const maxBytes = 1024 ** 2
const input = Buffer.from('inside\n')
const search = { query: 'root', inContent: true, maxMatches: 100, timeoutMs: 10_000 }
const RACES: Record<string, Race> = {
  list: { requestOf: () => ({ op: 'list', path: 'dir', maxEntries: 1000 }) },
  stat: { requestOf: turn => ({ op: 'stat', path: turn % 2 ? 'dir/passwd' : 'dir/inner' }) },
  read: { requestOf: turn => ({ op: 'read', path: turn % 2 ? 'deep/dir/passwd' : 'file', maxBytes }) },
  write: { requestOf: turn => ({ op: 'write', path: turn % 2 ? 'dir/passwd' : 'file', maxBytes }), input },
  upload: {
    requestOf: turn => ({ op: 'append', path: `dir/up-${turn}`, id: 'u', offset: 0, size: input.length, maxBytes }),
    input,
  },
  forget: { requestOf: turn => ({ op: 'forget', path: `dir/up-${turn}`, id: 'u' }) },
  download: { requestOf: turn => ({ op: 'download', path: turn % 2 ? 'dir' : 'file' }) },
  search: { requestOf: () => ({ op: 'search', path: 'dir', search }) },
  mkdir: { requestOf: turn => ({ op: 'mkdir', path: `deep/dir/made-${turn}` }) },
  move: { requestOf: turn => ({ op: 'move', path: 'dir/passwd', to: `deep/dir/passwd${turn}` }) },
  copy: { requestOf: turn => ({ op: 'copy', path: 'dir', to: `out/copy-${turn}` }) },
  delete: { requestOf: turn => ({ op: 'delete', paths: [`deep/dir/made-${turn}`] }) },
  chmod: { requestOf: () => ({ op: 'chmod', path: 'dir/passwd', mode: 0o640 }) },
  zip: { requestOf: turn => ({ op: 'zip', paths: ['dir', 'deep'], to: `out-${turn}.zip`, overwrite: true }) },
  checkZip: { requestOf: () => ({ op: 'checkZip', path: 'out-1.zip', to: 'dir', overwrite: true }) },
  unzip: { requestOf: turn => ({ op: 'unzip', path: 'out-1.zip', to: 'dir', id: `x${turn}`, overwrite: true }) },
  placeUnzip: { requestOf: turn => ({ op: 'placeUnzip', to: 'dir', id: `x${turn}`, overwrite: true }) },
  dropUnzip: { requestOf: turn => ({ op: 'dropUnzip', to: 'dir', id: `x${turn}` }) },
  stage: { requestOf: turn => ({ op: 'stage', id: `s${turn}`, path: 'dir', name: 'passwd' }) },
  swap: {
    requestOf: turn => ({ op: 'swap', id: `s${turn}`, path: 'deep/dir', wanted: [{ name: 'passwd', inode: '' }] }),
  },
  unstage: { requestOf: turn => ({ op: 'unstage', id: `s${turn}` }) },
  own: { requestOf: turn => ({ op: 'own', path: turn % 2 ? 'dir' : 'deep', uid: OWNER, gid: OWNER }), isRoot: true },
  digest: { requestOf: () => ({ op: 'digest' }), input: Buffer.from('dir/passwd\0deep/dir/passwd\0file\0') },
}

describe('the files of a site while it swaps them', { timeout: SOAK ? 12 * 3_600_000 : 600_000 }, () => {
  let site: LocalFolder
  let other: LocalFolder
  let root: SiteFolder

  before(async () => {
    site = await localFolder()
    other = await localFolder()
    await writeFile(`${site.outside}/secret`, SECRET, { mode: 0o600 })
    await mkdir(`${site.outside}/neighbour`)
    await writeFile(`${site.outside}/neighbour/wp-config.php`, SECRET)
    root = await site.asRoot()
    await startSwapping(site)
  })
  after(async () => {
    await site?.[Symbol.asyncDispose]()
    await other?.[Symbol.asyncDispose]()
  })

  /** Answered or refused in time, and never with anything from outside. */
  const round = async (folder: SiteFolder, request: FilesRequest, input?: Buffer) => {
    const options = { timeoutMs: LIMIT_MS, ...(input && { input }) }
    try {
      const { answer, bytes } = await askForBytes(folder, request, Anything, options)
      const said = `${JSON.stringify(answer)}${(await buffer(bytes)).toString('latin1')}`
      assert.doesNotMatch(said, FOREIGN)
    } catch (error) {
      assert.ok(error instanceof Problem, String(error))
    }
  }

  for (const [name, { requestOf, input, isRoot }] of Object.entries(RACES))
    it(name, async () => {
      const before = await outsideOf(site)
      let turn = 0
      const one = async () => {
        while (turn < ROUNDS) {
          turn += 1
          await round(isRoot ? root : site, requestOf(turn), input)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
      assert.deepEqual(await outsideOf(site), before)
    })

  it('moves it', async () => {
    const signal = AbortSignal.timeout(5 * 60_000)
    // A site that swaps its files may spoil its own move.
    const spoiled = (error: { code?: string }) => assert.equal(error.code, 'command_failed')
    for (let turn = 0; turn < Math.max(1, ROUNDS / 100); turn += 1) {
      await copyAll(site, other, signal).catch(spoiled)
      await isStillSame(site, other, Date.now() / 1000 + 1, signal).catch(spoiled)
      await copyChanged(site, other, 0, signal).catch(spoiled)
    }
    const found = await other.shell("grep -rlE 'root:x:0|SECRET' . || true")
    assert.equal(found, '')
    assert.notEqual(await ask(other, { op: 'list', path: '', maxEntries: 10 }, Anything), undefined)
  })
})

/** Everything next to the folder, which no operation may touch. */
const outsideOf = async ({ outside }: LocalFolder) => [
  (await readdir(outside)).toSorted(),
  await readFile(`${outside}/secret`, 'utf8'),
  await readdir(`${outside}/neighbour`),
  (await stat(`${outside}/neighbour/wp-config.php`)).uid,
]
