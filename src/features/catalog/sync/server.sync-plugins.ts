import { Readable } from 'node:stream'
import { z } from 'zod'
import { requireRoom, retryWhileAway } from '#features/servers/index.ts'
import { framesOf } from '#features/sites/index.ts'
import { defineJob, type Step } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { isInstallable } from '../check-record.ts'
import { deleteCopy, insertCopy, listCopies } from '../copy-store.ts'
import { COPIES_FOLDER, copyPath, openZip } from '../zip-files.ts'
import { listZips } from '../zip-store.ts'

interface Input {
  serverId: number
}
interface State {
  /** By this job. */
  copied: string[]
  removed: number
}

const Result = z.strictObject({ copied: z.number(), removed: z.number() })

/** Named by what is in them, so one that is there is right: it appears as a whole or not at all. */
const copy: Step<Input, State> = {
  id: 'copy',
  label: 'Copying plugin zips',
  async run({ db, hosts, input, state, installation, signal, save, progress }) {
    const host = hosts.get(input.serverId)
    await host.makeDir(COPIES_FOLDER, { mode: 0o700 })
    const there = new Set((await host.listDir(COPIES_FOLDER)).map(({ name }) => `${COPIES_FOLDER}/${name}`))
    const zips = (await listZips(db)).filter(isInstallable)
    const missing = zips.filter(({ sha256 }) => !there.has(copyPath(sha256)))
    await requireRoom(host, { neededBytes: missing.reduce((sum, zip) => sum + zip.size_bytes, 0), signal })
    state.copied ??= []
    for (const [done, { sha256 }] of missing.entries()) {
      if (!state.copied.includes(sha256)) state.copied.push(sha256)
      await save()
      const frames = Readable.from(framesOf(openZip(installation, sha256)), { objectMode: false })
      await host.upload(frames, copyPath(sha256), { mode: 0o600, signal })
      progress({ done: done + 1, total: missing.length, unit: 'items' })
    }
    for (const { sha256 } of zips) await insertCopy(db, input.serverId, sha256)
  },
  async undo({ db, hosts, input, state }) {
    for (const sha256 of state.copied ?? []) {
      await hosts.get(input.serverId).removeFile(copyPath(sha256))
      await deleteCopy(db, input.serverId, sha256)
    }
  },
}

const tidy: Step<Input, State> = {
  id: 'tidy',
  label: 'Removing zips that the catalog no longer has',
  final: true,
  async run({ db, hosts, input, state }) {
    const host = hosts.get(input.serverId)
    const wanted = new Set((await listZips(db)).filter(isInstallable).map(({ sha256 }) => copyPath(sha256)))
    const others = (await host.listDir(COPIES_FOLDER)).filter(({ name }) => !wanted.has(`${COPIES_FOLDER}/${name}`))
    for (const { name, kind } of others) if (kind === 'file') await host.removeFile(`${COPIES_FOLDER}/${name}`)
    for (const { sha256 } of await listCopies(db, input.serverId))
      if (!wanted.has(copyPath(sha256))) await deleteCopy(db, input.serverId, sha256)
    state.removed = others.length
  },
}

export const serverSyncPlugins = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.syncPlugins',
  label: 'Copy plugin zips',
  description: 'Copies the zips of the plugin catalog to a server, each once.',
  category: 'wordpress',
  timeoutMs: 2 * 3_600_000,
  input: z.strictObject({ serverId: z.number() }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: [copy, tidy].map(retryWhileAway),
  finish: ({ copied = [], removed = 0 }) => ({ copied: copied.length, removed }),
})
