import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { Upload } from '#platform/http/bytes/upload.ts'
import type { Scope } from '#platform/scope.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { changePlugin, findPluginBySlug, insertPlugin, type PluginRow } from '../catalog-store.ts'
import { startCheck } from '../check/start-check.ts'
import { zipPath, zipsFolder } from '../zip-files.ts'
import { changeZip, insertZip, listZips, type ZipRow } from '../zip-store.ts'
import { type PluginHeader, readHeader } from './plugin-header.ts'

interface Taken {
  readonly plugin: PluginRow
  readonly job: Job
}

interface Arrived {
  readonly header: PluginHeader
  readonly sha256: string
  readonly sizeBytes: number
}

/** Streams a zip to the disk and reads what it says of itself. One that is refused leaves nothing behind. */
export const takeZip = async (scope: Scope, upload: Upload, isDefault: boolean | undefined): Promise<Taken> => {
  const { installation } = scope
  await mkdir(zipsFolder(installation), { recursive: true, mode: 0o700 })
  const part = `${zipsFolder(installation)}/.part-${randomUUID()}`
  try {
    const { sha256, sizeBytes } = await write(upload, part)
    const header = await inspect(part)
    return await inSequence('plugin catalog', async () => {
      await refuseOther(scope.db, header)
      await rename(part, zipPath(installation, sha256))
      return keep(scope, { header, sha256, sizeBytes }, isDefault)
    })
  } finally {
    await rm(part, { force: true })
  }
}

const write = async ({ bytes }: Upload, path: string) => {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      sizeBytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(bytes, counted, createWriteStream(path, { mode: 0o600 }))
  return { sha256: hash.digest('hex'), sizeBytes }
}

const inspect = async (path: string): Promise<PluginHeader> => {
  const file = await open(path)
  try {
    return await readHeader(file)
  } finally {
    await file.close()
  }
}

const refuseOther = async (db: Db, { folder }: PluginHeader): Promise<void> => {
  const known = await findPluginBySlug(db, folder)
  if (known?.kind === 'wporg')
    throw new Problem(
      'conflict',
      `${folder} is in the catalog as a plugin of WordPress.org. Delete that entry first, then upload the zip.`,
    )
}

/** The entry, its version and the job that checks it: all or nothing. */
const keep = (scope: Scope, arrived: Arrived, isDefault: boolean | undefined): Promise<Taken> =>
  scope.db.transaction().execute(async on => {
    const plugin = await keepPlugin(scope, on, arrived.header, isDefault)
    const zip = await keepZip(scope, on, plugin.id, arrived)
    return { plugin, job: await startCheck(scope, zip, on) }
  })

const keepPlugin = async (
  { now }: Scope,
  on: Db,
  { folder, name }: PluginHeader,
  isDefault: boolean | undefined,
): Promise<PluginRow> => {
  const known = await findPluginBySlug(on, folder)
  if (known) {
    const changes = { updated_at: now(), ...(isDefault !== undefined && { is_default: Number(isDefault) }) }
    await changePlugin(on, known.id, changes)
    return { ...known, ...changes }
  }
  const times = { created_at: now(), updated_at: now() }
  const row = { id: newId(now()), kind: 'zip', slug: folder, name, is_default: Number(isDefault ?? false) } as const
  await insertPlugin(on, { ...row, ...times })
  return { ...row, ...times }
}

/** The same version again takes the place of the one before. */
const keepZip = async ({ now }: Scope, on: Db, pluginId: string, arrived: Arrived): Promise<ZipRow> => {
  const { header, sha256, sizeBytes } = arrived
  const facts = {
    version: header.version,
    sha256,
    size_bytes: sizeBytes,
    requires_php: header.requiresPhp,
    requires_wordpress: header.requiresWordpress,
    uploaded_at: now(),
  }
  const known = (await listZips(on, pluginId)).find(({ version }) => version === header.version)
  const none = { reviewed_findings: null, problem: null, checked_at: null }
  const unchecked = { status: 'pending', files: 0, findings: '[]', ...none } as const
  if (!known) {
    const row = { id: newId(now()), plugin_id: pluginId, ...facts, ...unchecked }
    const zip = { ...row, is_checking: 0 }
    await insertZip(on, zip)
    return zip
  }
  const changes = known.sha256 === sha256 ? facts : { ...facts, ...unchecked }
  await changeZip(on, known.id, changes)
  return { ...known, ...changes }
}
