import { z } from 'zod'
import { dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { readFirewall, removeFirewall } from '#drivers/nftables/firewall.ts'
import { ServerId } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { issuanceFor } from '../certificates/issuance-for.ts'
import { needsCertificate } from '../certificates/names.ts'
import { obtainCertificate } from '../certificates/obtain-certificate.ts'
import { checkServer, failedCheck } from '../checks.ts'
import { readFacts } from '../host/read-facts.ts'
import { readStack } from '../host/read-stack.ts'
import { hostAs, OWN_SERVER } from '../hosts.ts'
import { bringImages, type StackImages } from '../images/stack-images.ts'
import { publishedName } from '../publish-panel.ts'
import { changeServer, getServer } from '../server-store.ts'
import { sshPublicKey } from '../ssh-key.ts'
import { ensureAccount } from '../stack/account.ts'
import { DATABASE, databaseContainer, EDGE, EDGE_TEST, edgeContainer, type Machine } from '../stack/containers.ts'
import { dockerOf } from '../stack/docker-of.ts'
import { applyServerEdge } from '../stack/edge.ts'
import { ensureEngine, ensureEngineSettings } from '../stack/engine.ts'
import { ensureServerFirewall, forgetServerFirewall } from '../stack/firewall.ts'
import { installPackages, listMissing, packagesFor } from '../stack/packages.ts'
import { FIREWALL_FILE, FOLDERS } from '../stack/places.ts'
import { stackVersion } from '../stack/version.ts'
import { patient } from './patient.ts'

interface Input {
  serverId: number
  /** Signs in as root once, to give the usual account its rights. */
  rootUser?: 'root' | undefined
}

interface State {
  machine: Machine
  /** Packages; decided before any is installed, so that an installation that is met again is followed to its end. */
  missing: string[]
  images: StackImages
  /** What was there before this job: only the rest is taken away again when it fails. */
  before: { containers: string[]; firewall: boolean }
}

type Context = StepContext<Input, State>

const Result = z.strictObject({ serverId: z.number() })

const hostOf = ({ hosts, input }: Context) => hosts.get(input.serverId)

const known = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an earlier step left nothing')
  return value
}

const giveRights: Step<Input, State> = {
  name: 'Giving the panel its account',
  async run(context) {
    const { db, input, say } = context
    const { ssh_user: user } = await getServer(db, input.serverId)
    if (input.rootUser === undefined || user === 'root' || input.serverId === OWN_SERVER) return
    const root = hostAs(context, input.serverId, input.rootUser)
    try {
      await ensureAccount(root, user, await sshPublicKey(context))
      say(`${user} takes the panel's key and may use sudo.`)
    } finally {
      await root.close()
    }
  },
}

const lookAround: Step<Input, State> = {
  name: 'Looking at the machine',
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
  /** The last thing that is put back: the server is as it was, and says why. */
  async undo({ db, input, jobId }) {
    const { provisioned_at } = await getServer(db, input.serverId)
    const job = await findJob(db, jobId)
    const problem = job?.error_message ?? null
    await changeServer(db, input.serverId, { status: provisioned_at === null ? 'failed' : 'ready', problem })
  },
}

const installSoftware: Step<Input, State> = {
  name: 'Installing packages',
  async run(context) {
    const { state, say } = context
    const missing = known(state.missing)
    if (missing.length === 0) return say('Everything is there already.')
    say(`Missing: ${missing.join(', ')}.`)
    await installPackages(hostOf(context), missing, context)
  },
}

const startDocker: Step<Input, State> = {
  name: 'Starting Docker',
  async run(context) {
    const { db, hosts, input, signal, say } = context
    const { ssh_user: user } = await getServer(db, input.serverId)
    await ensureEngineSettings(hostOf(context))
    if (user !== 'root' && input.serverId !== OWN_SERVER) {
      await hostOf(context).run(exec('usermod', '--append', '--groups', 'docker', '--', user), { signal })
      // A group is only seen by whoever signs in after it was given.
      await hosts.forget(input.serverId)
    }
    say(`Docker ${await ensureEngine(hostOf(context), signal)} answers.`)
  },
}

const makeFolders: Step<Input, State> = {
  name: 'Making folders',
  async run(context) {
    const host = hostOf(context)
    for (const { path, mode, owner } of FOLDERS) await host.makeDir(path, { mode, owner })
    if (context.state.before) return
    const { parts, firewall } = await readStack(host, context.signal)
    context.state.before = { containers: parts.filter(part => part.image !== null).map(part => part.name), firewall }
  },
}

const bringTheImages: Step<Input, State> = {
  name: 'Bringing the images',
  async run(context) {
    const { hosts, place, signal, say, output, state } = context
    state.images = await bringImages(hosts.get(OWN_SERVER), hostOf(context), {
      dataDir: place.dataDir,
      signal,
      say,
      onLine: line => output('stdout', line),
    })
  },
}

const loadFirewall: Step<Input, State> = {
  name: 'Loading the firewall',
  run: context => ensureServerFirewall(hostOf(context)),
  async undo(context) {
    if (context.state.before === undefined || context.state.before.firewall) return
    await forgetServerFirewall(hostOf(context))
    await removeFirewall(hostOf(context), FIREWALL_FILE)
  },
}

const removeNew = async (context: Context, name: string, container: string) => {
  const { before } = context.state
  if (before === undefined || before.containers.includes(name)) return
  await dropContainer(dockerOf(hostOf(context)), container, context)
}

const startDatabase: Step<Input, State> = {
  name: 'Starting the database',
  async run(context) {
    const { state, signal, say } = context
    const spec = databaseContainer(known(state.images).database, known(state.machine))
    const change = await ensureContainer(dockerOf(hostOf(context)), spec, { signal })
    await waitHealthy(dockerOf(hostOf(context)), DATABASE, { timeoutMs: 120_000, signal })
    say(`The database runs (${change}).`)
  },
  undo: context => removeNew(context, 'database', DATABASE),
}

const startEdge: Step<Input, State> = {
  name: 'Starting the edge',
  async run(context) {
    const { input, state, signal, say } = context
    const spec = edgeContainer(known(state.images).edge, known(state.machine))
    const { isChanged } = await applyServerEdge(context, input.serverId, spec)
    const change = await ensureContainer(dockerOf(hostOf(context)), spec, { signal })
    await waitHealthy(dockerOf(hostOf(context)), EDGE, { timeoutMs: 60_000, signal })
    say(`The edge runs (${change}); its configuration ${isChanged ? 'is new' : 'was right already'}.`)
  },
  async undo(context) {
    if (context.state.before) await dropContainer(dockerOf(hostOf(context)), EDGE_TEST, context)
    await removeNew(context, 'edge', EDGE)
  },
}

const confirm: Step<Input, State> = {
  name: 'Checking that all of it answers',
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
      stack_version: await stackVersion(),
    })
  },
}

/** The stack stays as it is when only this fails, for instance because the name does not lead here yet. */
const publishPanel: Step<Input, State> = {
  name: 'Publishing the panel',
  final: true,
  async run(context) {
    const { input, signal, say } = context
    const name = input.serverId === OWN_SERVER ? await publishedName(context) : undefined
    if (name === undefined) return
    const issuance = await issuanceFor(context, input.serverId)
    if (needsCertificate(name) && issuance) await obtainCertificate(context, { ...issuance, signal }, [name])
    await applyServerEdge(context, input.serverId)
    say(`The panel is at ${context.place.publicUrl}.`)
  },
}

export const serverProvision = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.provision',
  label: 'Set up a server',
  description: 'Installs or updates the stack of a server: Docker, edge, database, firewall and folders.',
  category: 'servers',
  timeoutMs: 60 * 60_000,
  input: z.strictObject({ serverId: ServerId, rootUser: z.literal('root').optional() }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: [
    giveRights,
    lookAround,
    installSoftware,
    startDocker,
    makeFolders,
    bringTheImages,
    loadFirewall,
    startDatabase,
    startEdge,
    confirm,
    publishPanel,
  ].map(patient),
  finish: (_, { serverId }) => ({ serverId }),
})
