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

export const SERVER_STATUSES = ['new', 'provisioning', 'ready', 'failed'] as const
export const DNS_PROVIDERS = ['none', 'cloudflare'] as const

const HostKey = z.object({
  type: z.string(),
  fingerprint: z.string().describe('as `ssh-keygen -l` shows it'),
})

export const Server = z.object({
  id: z.number(),
  name: z.string(),
  own: z.boolean().describe("the panel runs on it, so it can't be removed"),
  status: z
    .enum(SERVER_STATUSES)
    .describe('new: not set up yet. provisioning: being set up. failed: the last setup failed.'),
  upToDate: z.boolean().describe('whether its stack is up to date with this panel'),
  problem: z.string().nullable().describe('why the last setup failed'),
  sshHost: z.string().nullable().describe("null for the panel's own server"),
  sshPort: z.number(),
  sshUser: z.string(),
  hostKey: HostKey.nullable().describe('pinned on first contact; null before that'),
  publicIp: z.string().nullable(),
  devDomain: z.string().describe('new sites get a subdomain of it'),
  dnsProvider: z.enum(DNS_PROVIDERS),
  acmeEmail: z.string().nullable().describe('the certificate authority sends notices here'),
  backupRoot: z.string(),
  sites: z.number(),
  lastSeenAt: z.number().nullable(),
  provisionedAt: z.number().nullable(),
  createdAt: z.number(),
})
export type Server = z.infer<typeof Server>

/** The same that a request or job on this server would fail with. */
const HostReason = z.string().nullable().describe('the error code, for example host_key_changed')

export const Check = z.object({
  name: z.string().describe('connection, system, disk, docker, …: stable, for scripts'),
  title: z.string(),
  ok: z.boolean(),
  message: z.string().describe('the finding'),
  todo: z.string().nullable().describe('how to fix it; null when OK'),
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
  problem: z.string().nullable().describe("why it can't be reached"),
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
  usedBytes: z.number().nullable().describe('space used by backups; null when there are too many to count quickly'),
  candidate: Folder.extend({
    ok: z.boolean(),
    problem: z.string().nullable().describe("why backups can't move there"),
  }).nullable(),
})

const Columns = wholeNumber(1, 1000).describe('terminal width in characters')
const Rows = wholeNumber(1, 1000).describe('terminal height in lines')

export const TerminalResize = z.strictObject({ type: z.literal('resize'), cols: Columns, rows: Rows })
export type TerminalResize = z.infer<typeof TerminalResize>

export const TerminalExit = z.object({ type: z.literal('exit'), exitCode: z.number() })
export type TerminalExit = z.infer<typeof TerminalExit>

const params = z.object({ id: ServerId })

const fields = {
  name: Label.describe('what people call the server'),
  sshHost: HostAddress.describe('hostname or IP address for SSH'),
  sshPort: Port.describe('port of SSH'),
  sshUser: UnixUser.describe('root, or a user with passwordless sudo'),
  devDomain: Hostname.describe('new sites get a subdomain of it'),
  dnsProvider: z.enum(DNS_PROVIDERS).describe('where the DNS of its sites is managed'),
  publicIp: IpAddress.nullable().describe('what DNS records should point to; null: as detected'),
  acmeEmail: Email.nullable().describe('the certificate authority sends notices here'),
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
    summary: 'Add a server, and optionally set it up',
    destructive: true,
    job: 'sometimes',
    body: z.strictObject({
      name: fields.name,
      sshHost: fields.sshHost,
      sshPort: fields.sshPort.prefault(22),
      sshUser: fields.sshUser.prefault('root').describe('root, or a user with passwordless sudo'),
      devDomain: fields.devDomain.describe('new sites get a subdomain of it; *.localhost needs no DNS'),
      dnsProvider: fields.dnsProvider.prefault('none'),
      publicIp: fields.publicIp.optional().describe('what DNS records should point to; detected if omitted'),
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
    summary: 'Show the public key to authorize on a new machine',
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
    summary: 'Show the system, resources and stack of a server, at most a minute old',
    params,
    query: z.object({ refresh: QueryFlag.optional().describe('true checks the server now') }),
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
        retrustHostKey: z.literal(true).describe('replace the pinned host key with the one the server presents now'),
        backupRoot: FolderPath.describe('where its backups already are; to move them, use backups/relocate'),
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
    summary: 'Install or update the stack of a server',
    destructive: true,
    job: true,
    params,
    body: z
      .strictObject({
        rootUser: z.literal('root').optional().describe('sign in as root this time, to restore the rights of sshUser'),
      })
      .prefault({}),
    reply: JobAccepted,
  },
  serverStorage: {
    method: 'GET',
    path: '/api/servers/:id/storage',
    level: 'read-only',
    raised: { level: 'full', when: 'with path' },
    summary: 'Show where backups are stored, and check whether they could move to another path',
    params,
    query: z.object({ path: FolderPath.optional().describe('folder to look into; default: all disks') }),
    reply: Storage,
  },
  serverRelocateBackups: {
    method: 'POST',
    path: '/api/servers/:id/backups/relocate',
    level: 'full',
    summary: 'Move the backups of a server to another folder, with verification',
    destructive: true,
    job: true,
    params,
    body: z.strictObject({ to: FolderPath.describe('folder that will hold the backups') }),
    reply: JobAccepted,
  },
  serverTerminal: {
    method: 'GET',
    path: '/api/servers/:id/terminal',
    level: 'full',
    summary: 'Open a root shell on a server, over a WebSocket',
    destructive: true,
    mcp: 'no',
    params,
    query: z.object({ cols: Columns.prefault(80), rows: Rows.prefault(24) }),
    reply: TerminalExit,
    socket: {
      about:
        'Binary frames carry terminal bytes, keystrokes in and output out, at most ' +
        '64 KiB each. Text frames are JSON: {"type":"resize","cols":80,"rows":24} in, and ' +
        '{"type":"exit","exitCode":0} out when the shell ends; then the socket closes with 1000. ' +
        '1008: invalid frame, see the reason. 1009: frame too large. 1001: the panel is stopping. 1014: connection to the server lost. ' +
        '4401: the key was revoked or the session expired.',
      perCaller: 10,
      inAll: 50,
    },
  },
  serverDelete: {
    method: 'DELETE',
    path: '/api/servers/:id',
    level: 'full',
    summary: 'Remove a server from the panel; the machine is not changed',
    destructive: true,
    params,
    query: z.object({ force: QueryFlag.optional().describe('even if it has sites or jobs, or is unreachable') }),
    reply: z.object({ ok: z.literal(true) }),
  },
})
