import { z } from 'zod'
import { readFirewall, removeFirewall } from '#drivers/nftables/firewall.ts'
import {
  changeServer,
  checkServer,
  failedCheck,
  getServer,
  hostAs,
  OWN_SERVER,
  readFacts,
  retryWhileAway,
  sshPublicKey,
} from '#features/servers/index.ts'
import { ServerId } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { ensureAccount } from '../account.ts'
import { ensureDiskWatch } from '../disk-watch/ensure-disk-watch.ts'
import { ensureEngine, ensureEngineSettings } from '../engine.ts'
import { ensureServerFirewall, FIREWALL_FILE, forgetServerFirewall } from '../firewall.ts'
import { FOLDERS } from '../folders.ts'
import { ensureGuardedMount } from '../guarded-mount.ts'
import { siteImage } from '../images/recipes.ts'
import { bringImages, DEFAULT_PHP } from '../images/stack-images.ts'
import { installPackages, listMissing, packagesFor } from '../packages.ts'
import type { Machine } from '../part.ts'
import { listImages, listParts, neededParts, removePart, startPart } from '../parts.ts'
import { readStack } from '../read-stack.ts'
import { stackVersion } from '../version.ts'

interface Input {
  serverId: number
  /** Signs in as root once, to give the usual account its rights. */
  rootUser?: 'root' | undefined
}

interface State {
  machine: Machine
  /** Packages; decided before any is installed, so that an installation that is met again is followed to its end. */
  missing: string[]
  /** By the name of the part that needs it here. */
  images: Readonly<Record<string, string>>
  /** What was there before this job: only the rest is removed when it fails. */
  before: { parts: string[]; firewall: boolean }
}

type Context = StepContext<Input, State>

const Result = z.strictObject({ serverId: z.number() })

const hostOf = ({ hosts, input }: Context) => hosts.get(input.serverId)

const fromEarlierStep = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an earlier step left no result')
  return value
}

const giveRights: Step<Input, State> = {
  id: 'create-account',
  label: "Creating the panel's account",
  async run(context) {
    const { db, input, say } = context
    const { ssh_user: user } = await getServer(db, input.serverId)
    if (input.rootUser === undefined || user === 'root' || input.serverId === OWN_SERVER) return
    const root = hostAs(context, input.serverId, input.rootUser)
    try {
      await ensureAccount(root, user, await sshPublicKey(context))
      say(`${user} accepts the panel's key and can use sudo.`)
    } finally {
      await root.close()
    }
  },
}

const inspectMachine: Step<Input, State> = {
  id: 'check-machine',
  label: 'Checking the machine',
  async run(context) {
    const { db, input, state, signal, say } = context
    const row = await getServer(db, input.serverId)
    await changeServer(db, row.id, { status: 'provisioning' })
    // A server that cannot be reached fails with its own code, not as one of the checks.
    await hostOf(context).stat('/')
    const checks = await checkServer(context, { ...row, provisioned_at: null }, hostOf(context))
    for (const { title, message, ok } of checks) say(`${ok ? '✓' : '✗'} ${title}: ${message}`)
    const failed = failedCheck(checks)
    if (failed) throw new Problem('conflict', `${failed.title}: ${failed.message} ${failed.todo ?? ''}`, { checks })
    const { cpus, memTotalBytes } = await readFacts(hostOf(context), signal)
    state.machine = { cpus: cpus ?? 1, memoryBytes: memTotalBytes ?? 0 }
    state.missing = await listMissing(hostOf(context), packagesFor(input.serverId === OWN_SERVER), signal)
  },
  /** The last thing that is restored: the server is as it was, and says why. */
  async undo({ db, input, jobId }) {
    const { provisioned_at } = await getServer(db, input.serverId)
    const job = await findJob(db, jobId)
    const problem = job?.error_message ?? null
    await changeServer(db, input.serverId, { status: provisioned_at === null ? 'failed' : 'ready', problem })
  },
}

const installSoftware: Step<Input, State> = {
  id: 'install-packages',
  label: 'Installing packages',
  async run(context) {
    const { state, say } = context
    const missing = fromEarlierStep(state.missing)
    if (missing.length === 0) return say('All packages are already installed.')
    say(`Missing: ${missing.join(', ')}.`)
    await installPackages(hostOf(context), missing, context)
  },
}

const startDocker: Step<Input, State> = {
  id: 'start-docker',
  label: 'Starting Docker',
  async run(context) {
    const { db, hosts, input, signal, say } = context
    const { ssh_user: user } = await getServer(db, input.serverId)
    await ensureEngineSettings(hostOf(context))
    if (user !== 'root' && input.serverId !== OWN_SERVER) {
      await hostOf(context).run(exec('usermod', '--append', '--groups', 'docker', '--', user), { signal })
      // A group is only seen by those who sign in after it was given.
      await hosts.forget(input.serverId)
    }
    say(`Docker ${await ensureEngine(hostOf(context), signal)} is running.`)
  },
}

const createFolders: Step<Input, State> = {
  id: 'create-folders',
  label: 'Creating folders',
  async run(context) {
    const host = hostOf(context)
    const parts = await neededParts(context, context.input.serverId)
    const folders = [...FOLDERS, ...parts.flatMap(part => part.folders)]
    for (const { path, mode, owner } of folders) await host.makeDir(path, { mode, owner })
    await ensureGuardedMount(host)
    await ensureDiskWatch(host)
    if (context.state.before) return
    const { parts: running, firewall } = await readStack(context, host, context.signal)
    context.state.before = { parts: running.filter(part => part.image !== null).map(part => part.name), firewall }
  },
}

const bringTheImages: Step<Input, State> = {
  id: 'bring-images',
  label: 'Copying the images',
  async run(context) {
    const { hosts, installation, signal, say, output, progress, state, input } = context
    const parts = await neededParts(context, input.serverId)
    const recipes = [...parts.map(part => part.image), ...(await listImages(context)), siteImage(DEFAULT_PHP)]
    const refs = await bringImages(hosts.get(OWN_SERVER), hostOf(context), recipes, {
      dataDir: installation.dataDir,
      signal,
      say,
      progress,
      onLine: line => output('stdout', line),
    })
    state.images = Object.fromEntries(parts.map((part, at) => [part.name, refs[at] ?? '']))
  },
}

const loadFirewall: Step<Input, State> = {
  id: 'load-firewall',
  label: 'Loading the firewall',
  run: context => ensureServerFirewall(context, context.input.serverId),
  async undo(context) {
    if (context.state.before === undefined || context.state.before.firewall) return
    await forgetServerFirewall(hostOf(context))
    await removeFirewall(hostOf(context), FIREWALL_FILE)
  },
}

const startServices: Step<Input, State> = {
  id: 'start-services',
  label: 'Starting the services',
  async run(context) {
    const { input, state } = context
    const images = fromEarlierStep(state.images)
    for (const part of await listParts(context)) {
      const image = images[part.name]
      if (image === undefined) await removePart(context, input.serverId, part)
      else await startPart(context, input.serverId, part, { image, machine: fromEarlierStep(state.machine) })
    }
  },
  /** Only what was not there before. */
  async undo(context) {
    const { input, state } = context
    if (state.before === undefined) return
    const parts = await listParts(context)
    for (const part of parts.toReversed())
      if (!state.before.parts.includes(part.name)) await removePart(context, input.serverId, part)
  },
}

const confirm: Step<Input, State> = {
  id: 'check-stack',
  label: 'Checking that everything responds',
  async run(context) {
    const { db, input, now } = context
    const row = await getServer(db, input.serverId)
    const firewall = await readFirewall(hostOf(context))
    const failed = failedCheck(await checkServer(context, { ...row, provisioned_at: now() }, hostOf(context)))
    if (failed || !firewall)
      throw new Problem('conflict', `${failed?.title ?? 'The firewall'}: ${failed?.message ?? 'missing'}`)
    await changeServer(db, row.id, {
      status: 'ready',
      problem: null,
      provisioned_at: now(),
      last_seen_at: now(),
      stack_version: await stackVersion(context),
    })
  },
}

/** The stack stays as it is when only this fails, for instance because the panel's name does not point here yet. */
const publishPanel: Step<Input, State> = {
  id: 'publish-panel',
  label: 'Publishing the panel',
  final: true,
  async run(context) {
    await context.events.raise(context, 'serverProvisioned', { serverId: context.input.serverId })
  },
}

export const serverProvision = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.provision',
  label: 'Set up server',
  description: 'Installs or updates the stack of a server: Docker, edge, database, firewall and folders.',
  category: 'servers',
  timeoutMs: 60 * 60_000,
  input: z.strictObject({ serverId: ServerId, rootUser: z.literal('root').optional() }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: [
    giveRights,
    inspectMachine,
    installSoftware,
    startDocker,
    createFolders,
    bringTheImages,
    loadFirewall,
    startServices,
    confirm,
    publishPanel,
  ].map(retryWhileAway),
  finish: (_, { serverId }) => ({ serverId }),
})
