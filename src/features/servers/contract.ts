import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import {
  Email,
  FolderPath,
  HostAddress,
  Hostname,
  IpAddress,
  Label,
  Port,
  QueryFlag,
  ServerId,
  UnixUser,
  wholeNumber,
} from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'
import { monitorEndpoints } from './monitor/contract.ts'

export const SERVER_STATUSES = ['new', 'provisioning', 'ready', 'failed'] as const
export const DNS_PROVIDERS = ['none', 'cloudflare'] as const

const HostKey = z.object({
  type: z.string(),
  fingerprint: z.string().describe('as `ssh-keygen -l` shows it'),
})

export const Server = z.object({
  id: z.number(),
  name: z.string(),
  own: z.boolean().describe("the panel's own machine, which is never removed"),
  status: z
    .enum(SERVER_STATUSES)
    .describe('new: known, nothing set up yet. provisioning: a job sets it up. failed: the last attempt failed.'),
  upToDate: z.boolean().describe('whether its stack is what this panel would set up now'),
  problem: z.string().nullable().describe('why the last attempt to set it up failed'),
  sshHost: z.string().nullable().describe("null for the panel's own machine"),
  sshPort: z.number(),
  sshUser: z.string(),
  hostKey: HostKey.nullable().describe('pinned at the first contact; null before it'),
  publicIp: z.string().nullable(),
  devDomain: z.string().describe('new sites get a name below it'),
  dnsProvider: z.enum(DNS_PROVIDERS),
  acmeEmail: z.string().nullable().describe('where the certificate authority writes to'),
  backupRoot: z.string(),
  sites: z.number(),
  lastSeenAt: z.number().nullable(),
  provisionedAt: z.number().nullable(),
  createdAt: z.number(),
})
export type Server = z.infer<typeof Server>

/** The same that a request or job on this server would fail with. */
const HostReason = z.string().nullable().describe('the code of what went wrong, host_key_changed for instance')

export const Check = z.object({
  name: z.string().describe('connection, system, disk, docker, …: stable, for scripts'),
  title: z.string(),
  ok: z.boolean(),
  message: z.string().describe('what was found'),
  todo: z.string().nullable().describe('what to do about it, null when all is well'),
  reason: HostReason,
})
export type Check = z.infer<typeof Check>

const StackPart = z.object({
  name: z.string().describe('edge, database, …'),
  state: z.string().describe('running, exited, absent, …'),
  healthy: z.boolean(),
  image: z.string().nullable(),
})

export const ServerInfo = z.object({
  reachable: z.boolean(),
  problem: z.string().nullable().describe('why it cannot be reached'),
  reason: HostReason,
  hostname: z.string().nullable(),
  os: z.string().nullable(),
  kernel: z.string().nullable(),
  arch: z.string().nullable(),
  cpus: z.number().nullable(),
  memTotalBytes: z.number().nullable(),
  memAvailableBytes: z.number().nullable(),
  diskTotalBytes: z.number().nullable(),
  diskFreeBytes: z.number().nullable(),
  load1: z.number().nullable(),
  uptimeSeconds: z.number().nullable(),
  dockerVersion: z.string().nullable(),
  stack: z.array(StackPart),
  firewall: z.boolean().nullable().describe("whether the panel's table is loaded"),
  checkedAt: z.number(),
})
export type ServerInfo = z.infer<typeof ServerInfo>

const Folder = z.object({
  path: z.string(),
  filesystem: z.string().nullable().describe('the device or volume it is on'),
  totalBytes: z.number().nullable(),
  freeBytes: z.number().nullable(),
})

export const Storage = z.object({
  backupRoot: Folder,
  usedBytes: z
    .number()
    .nullable()
    .describe('what the backups take; null where they are too many to count while one waits'),
  candidate: Folder.extend({
    ok: z.boolean(),
    problem: z.string().nullable().describe('why backups cannot move there'),
  }).nullable(),
})

const Columns = wholeNumber(1, 1000).describe('how wide the terminal is, in characters')
const Rows = wholeNumber(1, 1000).describe('how high the terminal is, in lines')

export const TerminalResize = z.strictObject({ type: z.literal('resize'), cols: Columns, rows: Rows })
export type TerminalResize = z.infer<typeof TerminalResize>

export const TerminalExit = z.object({ type: z.literal('exit'), exitCode: z.number() })
export type TerminalExit = z.infer<typeof TerminalExit>

const params = z.object({ id: ServerId })

const fields = {
  name: Label,
  sshHost: HostAddress,
  sshPort: Port,
  sshUser: UnixUser,
  devDomain: Hostname,
  dnsProvider: z.enum(DNS_PROVIDERS),
  publicIp: IpAddress.nullable(),
  acmeEmail: Email.nullable(),
}

export const servers = contract({
  serverList: {
    method: 'GET',
    path: '/api/servers',
    level: 'read-only',
    summary: 'List every server with its status, site count and host key',
    reply: z.object({ items: z.array(Server) }),
  },
  serverCreate: {
    method: 'POST',
    path: '/api/servers',
    level: 'full',
    summary: 'Register a server, or take a blank VPS to a full stack',
    destructive: true,
    job: 'sometimes',
    body: z.strictObject({
      name: fields.name,
      sshHost: fields.sshHost,
      sshPort: fields.sshPort.prefault(22),
      sshUser: fields.sshUser.prefault('root').describe('root, or an account that may use sudo without a password'),
      devDomain: fields.devDomain.describe('new sites get a name below it; *.localhost needs no DNS'),
      dnsProvider: fields.dnsProvider.prefault('none'),
      publicIp: fields.publicIp.optional().describe('what DNS records should point at; found out when left out'),
      provision: z.boolean().prefault(false).describe('install the stack: Docker, edge, database, firewall'),
      acmeEmail: fields.acmeEmail.optional(),
    }),
    reply: z.object({ server: Server, checks: z.array(Check), job: Job.nullable() }),
    status: 201,
  },
  serverSshPublicKey: {
    method: 'GET',
    path: '/api/servers/ssh-public-key',
    level: 'read-only',
    summary: 'The public key to authorize on a new machine',
    reply: z.object({ publicKey: z.string() }),
  },
  serverGet: {
    method: 'GET',
    path: '/api/servers/:id',
    level: 'read-only',
    summary: 'Show one server',
    params,
    reply: Server,
  },
  serverInfo: {
    method: 'GET',
    path: '/api/servers/:id/info',
    level: 'read-only',
    summary: 'System, resources and stack of a server, at most a minute old',
    params,
    query: z.object({ refresh: QueryFlag.optional().describe('true asks the server now') }),
    reply: ServerInfo,
  },
  serverUpdate: {
    method: 'PATCH',
    path: '/api/servers/:id',
    level: 'full',
    summary: 'Change a server; retrustHostKey accepts its new host key',
    destructive: true,
    params,
    body: z
      .strictObject({
        ...fields,
        retrustHostKey: z.literal(true).describe('forget the pinned host key and trust what the server shows now'),
        backupRoot: FolderPath.describe('where its backups are already; to move them, use backups/relocate'),
      })
      .partial(),
    reply: Server,
  },
  serverTest: {
    method: 'POST',
    path: '/api/servers/:id/test',
    level: 'manage',
    summary: 'Check the connection and the stack; changes nothing',
    params,
    reply: z.object({ ok: z.boolean(), checks: z.array(Check) }),
  },
  serverReprovision: {
    method: 'POST',
    path: '/api/servers/:id/update',
    level: 'full',
    summary: 'Bring the stack of a server up to what this panel expects',
    destructive: true,
    job: true,
    params,
    body: z
      .strictObject({
        rootUser: z.literal('root').optional().describe('sign in as root this time, to give sshUser its rights again'),
      })
      .prefault({}),
    reply: JobAccepted,
  },
  serverStorage: {
    method: 'GET',
    path: '/api/servers/:id/storage',
    level: 'read-only',
    summary: 'Where backups live, and whether they could live at another path',
    params,
    query: z.object({ path: FolderPath.optional() }),
    reply: Storage,
  },
  serverRelocateBackups: {
    method: 'POST',
    path: '/api/servers/:id/backups/relocate',
    level: 'full',
    summary: 'Copy the backups of a server to another folder, verify, then use it',
    destructive: true,
    job: true,
    params,
    body: z.strictObject({ to: FolderPath }),
    reply: JobAccepted,
  },
  serverTerminal: {
    method: 'GET',
    path: '/api/servers/:id/terminal',
    level: 'full',
    summary: 'A root shell on a server, over a WebSocket',
    destructive: true,
    mcp: 'no',
    params,
    query: z.object({ cols: Columns.prefault(80), rows: Rows.prefault(24) }),
    reply: TerminalExit,
    socket: {
      about:
        'Binary frames are the bytes of the terminal: what is typed on the way in, what is shown on the way out, at most ' +
        '64 KiB each. Text frames are JSON: {"type":"resize","cols":80,"rows":24} on the way in, and ' +
        '{"type":"exit","exitCode":0} on the way out when the shell has ended; then the socket is closed with 1000. ' +
        '1008: a frame was wrong, the reason says why. 1009: a frame was too large. 1001: the panel is stopping. 1014: the server was lost. ' +
        '4401: the key was revoked or the session has ended.',
      perCaller: 10,
      inAll: 50,
    },
  },
  serverDelete: {
    method: 'DELETE',
    path: '/api/servers/:id',
    level: 'full',
    summary: 'Forget a server; the machine itself is left as it is',
    destructive: true,
    params,
    query: z.object({ force: QueryFlag.optional().describe('also when it has sites or jobs, or does not answer') }),
    reply: z.object({ ok: z.literal(true) }),
  },
  ...monitorEndpoints,
})
