import { requireLevel } from '#platform/access/require-level.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { listActiveJobsOfServer } from '#platform/jobs/job-store.ts'
import { checkServer, failedCheck } from './checks.ts'
import type { servers } from './contract.ts'
import { OWN_SERVER } from './hosts.ts'
import { serverInfo } from './info.ts'
import { serverRelocateBackups } from './jobs/server.relocate-backups.ts'
import { refuseNoServer, registerServer } from './register.ts'
import { changeServer, getServer, listServers } from './server-store.ts'
import { countSites, readFleetFacts, showServer } from './show-server.ts'
import { sshPublicKey } from './ssh-key.ts'
import { readStorage } from './storage.ts'
import { serverTerminal } from './terminal.ts'

type Changes = Request<(typeof servers)['serverUpdate']>['body']

const show = async (id: number, scope: RequestScope) =>
  showServer(await getServer(scope.db, id), await readFleetFacts(scope))

export const serverRoutes: Handlers<typeof servers> = {
  async serverList(_, scope) {
    const facts = await readFleetFacts(scope)
    return { items: (await listServers(scope.db)).map(row => showServer(row, facts)) }
  },

  async serverCreate({ body }, scope) {
    const { server, checks, job } = await registerServer(scope, body)
    return { server: await show(server.id, scope), checks, job }
  },

  async serverSshPublicKey(_, scope) {
    return { publicKey: await sshPublicKey(scope) }
  },

  async serverGet({ params }, scope) {
    return show(params.id, scope)
  },

  async serverInfo({ params, query }, scope) {
    return serverInfo(scope, await getServer(scope.db, params.id), query.refresh ?? false)
  },

  async serverUpdate({ params, body }, scope) {
    const { id } = await getServer(scope.db, params.id)
    refuseWrongChanges(id, body)
    await changeServer(scope.db, id, columnsOf(body))
    await scope.hosts.forget(id)
    if (body.retrustHostKey) await meetAgain(id, scope)
    return show(id, scope)
  },

  async serverTest({ params }, scope) {
    const row = await getServer(scope.db, params.id)
    const checks = await checkServer(scope, row, scope.hosts.get(row.id))
    return { ok: !failedCheck(checks), checks }
  },

  async serverReprovision({ params, body }, scope) {
    const { id } = await getServer(scope.db, params.id)
    return { job: await scope.events.ask(scope, 'provisionServer', { serverId: id, rootUser: body.rootUser }) }
  },

  async serverStorage({ params, query }, scope) {
    // The answer tells whether a file of root's exists.
    if (query.path !== undefined) requireLevel(scope.actor, 'full', 'path')
    const row = await getServer(scope.db, params.id)
    return readStorage(scope.hosts.get(row.id), row.backup_root, query.path)
  },

  async serverRelocateBackups({ params, body }, scope) {
    const row = await getServer(scope.db, params.id)
    const { candidate } = await readStorage(scope.hosts.get(row.id), row.backup_root, body.to)
    if (candidate?.problem) throw new Problem('conflict', candidate.problem, { path: body.to })
    return { job: await scope.jobs.enqueue(serverRelocateBackups, { serverId: row.id, to: body.to }) }
  },

  serverTerminal,

  async serverDelete({ params, query }, scope) {
    const { id } = await getServer(scope.db, params.id)
    if (id === OWN_SERVER) throw new Problem('conflict', "The panel runs on this server, so it can't be removed.")
    await makeWay(id, query.force ?? false, scope)
    await changeServer(scope.db, id, { deleted_at: scope.now() })
    await scope.events.raise(scope, 'serverDeleted', { serverId: id })
    await scope.hosts.forget(id)
    return { ok: true }
  },
}

const refuseWrongChanges = (id: number, { sshHost, sshPort, sshUser, retrustHostKey }: Changes) => {
  if (sshHost !== undefined) refuseNoServer(sshHost)
  if (id !== OWN_SERVER || [sshHost, sshPort, sshUser, retrustHostKey].every(field => field === undefined)) return
  throw new Problem('validation_error', 'The panel runs on this server, so there is no connection to change.', [
    { in: 'body', path: 'sshHost', message: 'is not for server 1, nor are sshPort, sshUser and retrustHostKey' },
  ])
}

const columnsOf = (body: Changes) => {
  const columns = {
    name: body.name,
    ssh_host: body.sshHost,
    ssh_port: body.sshPort,
    ssh_user: body.sshUser,
    public_ip: body.publicIp,
    dev_domain: body.devDomain,
    dns_provider: body.dnsProvider,
    acme_email: body.acmeEmail,
    backup_root: body.backupRoot,
    host_key: body.retrustHostKey ? null : undefined,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** So that the answer shows the new key; a server that does not answer is met when it does. */
const meetAgain = async (id: number, scope: RequestScope) => {
  try {
    await scope.hosts.get(id).stat('/')
  } catch (error) {
    if (!(error instanceof HostError)) throw error
  }
}

const makeWay = async (id: number, force: boolean, scope: RequestScope) => {
  const sites = (await countSites(scope)).get(id) ?? 0
  const jobs = await listActiveJobsOfServer(scope.db, id)
  if (!force && sites > 0)
    throw new Problem(
      'conflict',
      `This server has ${sites === 1 ? '1 site. Move or delete it' : `${sites} sites. Move or delete them`} first.`,
      { sites },
    )
  if (!force && jobs.length > 0)
    throw new Problem(
      'conflict',
      `${jobs.length} jobs are running on this server. Wait for them or cancel them first.`,
      {
        jobs: jobs.map(job => job.id),
      },
    )
  for (const job of jobs) await scope.jobs.cancel(job.id)
  await scope.events.raise(scope, 'serverDeleting', { serverId: id })
}
