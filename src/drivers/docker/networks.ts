import { z } from 'zod'
import { type Cancellation, type Docker, DockerError, segment, unlessMissing } from './client.ts'
import { labelled } from './containers.ts'

const Inspected = z.object({
  Id: z.string(),
  Name: z.string(),
  Internal: z.boolean(),
  Labels: z.record(z.string(), z.string()).nullish(),
  IPAM: z.object({
    Config: z.array(z.object({ Subnet: z.string().optional(), Gateway: z.string().optional() })).nullish(),
  }),
})

export interface NetworkSpec {
  readonly name: string
  readonly subnet: string
  readonly gateway: string
  /** No way out of it. */
  readonly internal?: boolean
  readonly labels?: Readonly<Record<string, string>>
}

export interface Network {
  readonly id: string
  readonly name: string
  readonly subnet: string | undefined
  readonly gateway: string | undefined
  readonly internal: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** A bridge with exactly this subnet. One of that name that differs is replaced, unless containers are on it. */
export const ensureNetwork = async (
  docker: Docker,
  spec: NetworkSpec,
  { signal }: Cancellation = {},
): Promise<Network> => {
  const found = await findNetwork(docker, spec.name, { signal })
  if (found && isAsAsked(found, spec)) return found
  if (found) await removeNetwork(docker, spec.name, { signal })
  await docker
    .send({ method: 'POST', path: '/networks/create', body: networkBody(spec), signal })
    .catch(error => sayWhatIsTaken(docker, error, spec))
  const made = await findNetwork(docker, spec.name, { signal })
  if (made === undefined) throw new DockerError(500, `the network ${spec.name} disappeared`)
  return made
}

export const findNetwork = async (
  docker: Docker,
  name: string,
  { signal }: Cancellation = {},
): Promise<Network | undefined> => {
  const found = await docker.json(Inspected, { path: `/networks/${segment(name)}`, signal }).catch(unlessMissing)
  return found && networkOf(found)
}

/** Those that carry all of these labels. */
export const listNetworks = async (
  docker: Docker,
  wanted: Readonly<Record<string, string>> = {},
  { signal }: Cancellation = {},
): Promise<Network[]> => {
  const listed = await docker.json(z.array(Inspected), { path: '/networks', query: labelled(wanted), signal })
  return listed.map(networkOf)
}

/** Harmless when it is absent; refused while containers are on it. */
export const removeNetwork = async (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> => {
  await docker.send({ method: 'DELETE', path: `/networks/${segment(name)}`, signal }).catch(unlessMissing)
}

/** Names the network that has these addresses, so that someone can delete it. */
const sayWhatIsTaken = async (docker: Docker, error: unknown, { subnet }: NetworkSpec): Promise<never> => {
  if (!(error instanceof DockerError && error.output.includes('overlaps'))) throw error
  const owner = (await listNetworks(docker)).find(network => network.subnet === subnet)?.name
  const network = owner === undefined ? 'Another Docker network' : `The Docker network ${owner}`
  const message = `${network} uses ${subnet}. Delete that network, then try again.`
  throw new DockerError(error.status, message, error.output)
}

const networkBody = ({ name, subnet, gateway, internal = false, labels = {} }: NetworkSpec) => ({
  Name: name,
  CheckDuplicate: true,
  Driver: 'bridge',
  Internal: internal,
  EnableIPv6: false,
  IPAM: { Driver: 'default', Config: [{ Subnet: subnet, Gateway: gateway }] },
  Labels: labels,
})

const isAsAsked = (found: Network, { subnet, gateway, internal = false }: NetworkSpec): boolean =>
  found.subnet === subnet && found.gateway === gateway && found.internal === internal

const networkOf = ({ Id, Name, Internal, Labels, IPAM }: z.infer<typeof Inspected>): Network => ({
  id: Id,
  name: Name,
  subnet: IPAM.Config?.[0]?.Subnet,
  gateway: IPAM.Config?.[0]?.Gateway,
  internal: Internal,
  labels: Labels ?? {},
})
