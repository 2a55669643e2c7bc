import { randomBytes } from 'node:crypto'
import { deleteFile, listNames, RcloneError, readText, type Storage, writeText } from '#drivers/rclone/rclone.ts'
import { listServers } from '#features/servers/index.ts'
import { KnownError, outputOf } from '#platform/contract/known-error.ts'
import { TryLater } from '#platform/jobs/stop.ts'
import { cleanText } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import { CHECKS, type Checked, type Passphrase } from '../contract.ts'
import type { Access } from '../providers/contract.ts'
import { withStorage } from './open-storage.ts'
import { HostKeyUnknown } from './trust-host-key.ts'

const LIMIT_MS = 90_000

type Check = Checked['checks'][number]

const FAILED: Record<Check['id'], string> = {
  list: "Can't reach or list the folder. Check address, credentials and folder.",
  write: "Can't write a file. Check the rights of the account.",
  read: "Can't read back what was written. Check the rights of the account.",
  delete: "Can't delete a file. Check the rights of the account.",
}
const PASSED: Record<Check['id'], string> = {
  list: 'The folder can be listed.',
  write: 'A file was written.',
  read: 'The same file was read back.',
  delete: 'The file was deleted.',
}

const steps = (storage: Storage, name: string, text: string): Record<Check['id'], () => Promise<unknown>> => ({
  list: () => listNames(storage),
  write: () => writeText(storage, name, text),
  read: async () => {
    if ((await readText(storage, name)) !== text) throw new DifferentText('what was read differs from what was written')
  },
  delete: async () => {
    await deleteFile(storage, name)
    if ((await listNames(storage)).includes(name)) throw new DifferentText('the file is still there')
  },
})

class DifferentText extends KnownError {
  readonly code = 'storage_differs'
}

/** One after the other; the first that fails is the last, except that what was written is deleted. */
const checkStorage = async (storage: Storage): Promise<Check[]> => {
  const name = `fleetpress-test-${randomBytes(8).toString('hex')}.txt`
  const acts = steps(storage, name, randomBytes(32).toString('hex'))
  const checks: Check[] = []
  for (const id of CHECKS) {
    const isNeeded =
      checks.every(({ ok }) => ok) || (id === 'delete' && checks.some(one => one.id === 'write' && one.ok))
    if (!isNeeded) continue
    try {
      await acts[id]()
      checks.push({ id, ok: true, message: PASSED[id], output: '' })
    } catch (error) {
      checks.push(failed(id, error, error instanceof RcloneError && error.fault ? `${error.message}.` : FAILED[id]))
    }
  }
  return checks
}

const failed = (id: Check['id'], error: unknown, message: string): Check => {
  if (!(error instanceof KnownError)) throw error
  return { id, ok: false, message, output: cleanText(outputOf(error).trim()) }
}

interface Tested {
  /** As a server reaches it. */
  access(serverId: number): Promise<Access>
  readonly passphrase: Passphrase | null
  readonly folder: string
}

/** From a server, as copies are made from there. Whatever is wrong is one of the checks. */
export const testStorage = async (scope: Scope, tested: Tested, serverId: number | undefined): Promise<Checked> => {
  const ready = (await listServers(scope.db)).filter(({ status, id }) =>
    serverId === undefined ? status === 'ready' : id === serverId,
  )
  const [server] = ready
  if (!server) return notOk({ id: 'list', ok: false, message: 'No server is set up to test from.', output: '' })
  try {
    const work = { hosts: scope.hosts, installation: scope.installation, signal: AbortSignal.timeout(LIMIT_MS) }
    const access = await tested.access(server.id)
    const checks = await withStorage(work, server.id, { ...tested, access }, checkStorage)
    return { ok: checks.every(({ ok }) => ok), checks }
  } catch (error) {
    if (error instanceof HostKeyUnknown) return notOk(failed('list', error, `${error.message}.`))
    return notOk(failed('list', knownOf(error), `The test could not run on ${server.name}. ${messageOf(error)}`))
  }
}

const notOk = (check: Check): Checked => ({ ok: false, checks: [check] })

class TookTooLong extends KnownError {
  readonly code = 'timeout'
}

/** An image may still be on its way to the server. */
const knownOf = (error: unknown): unknown => {
  if (error instanceof TryLater) return new TookTooLong(`${error.message}. Try again in a few minutes.`)
  return error instanceof DOMException ? new TookTooLong('It took too long.') : error
}

const messageOf = (error: unknown): string => {
  const known = knownOf(error)
  return known instanceof KnownError ? `${known.message.replace(/\.$/, '')}.` : ''
}
