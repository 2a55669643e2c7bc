import { type DnsProvider, type DnsRecord, type FoundRecord, type Zone, zoneOf } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import { openProvider } from './token.ts'

/** Short, so that a site can move, but no burden for resolvers. */
const TTL_SECONDS = 60

export interface WantedRecord {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'TXT'
  readonly value: string
  /** A record that the panel did not create and that a person wants replaced by this one. */
  readonly replaces?: string | null
}

export interface PlannedRecord extends WantedRecord {
  /** `blocked`: someone else's record is in the way, or the token does not reach the name. */
  readonly action: 'create' | 'change' | 'remove' | 'keep' | 'blocked'
  /** What is there now. */
  readonly before: readonly string[]
  /** Why it is blocked, and what to do. */
  readonly reason: string | null
}

/** Plain data, so that a job can keep it and undo it after a restart. */
export interface DnsPlan {
  readonly items: readonly PlannedRecord[]
  readonly changes: readonly {
    readonly zone: Zone
    readonly add: DnsRecord[]
    readonly remove: DnsRecord[]
    readonly replace?: DnsRecord[]
  }[]
}

type Asking = Pick<Scope, 'db' | 'secrets' | 'installation'>

/**
 * What publishing these records would change, without changing anything. Only records with the panel's marker are
 * changed or removed: addresses at a name that are not wanted any more, and texts of the same kind, such as `v=spf1`.
 */
export const planRecords = async (
  scope: Asking,
  wanted: readonly WantedRecord[],
  signal: AbortSignal,
): Promise<DnsPlan> => {
  const provider = await openProvider(scope, signal)
  const byName = Map.groupBy(wanted, ({ name }) => name)
  const zones = await provider.listZones([...byName.keys()])
  const parts: DnsPlan[] = []
  for (const [name, records] of byName) parts.push(await planName(provider, zones, name, records, byName))
  return { items: parts.flatMap(({ items }) => items), changes: parts.flatMap(({ changes }) => changes) }
}

const planName = async (
  provider: DnsProvider,
  zones: readonly Zone[],
  name: string,
  wanted: readonly WantedRecord[],
  planned: ReadonlyMap<string, unknown>,
): Promise<DnsPlan> => {
  const zone = zoneOf(zones, name)
  if (!zone) return blocked(wanted, [], `The DNS token reaches no zone of ${name}. Set its records yourself.`)
  const found = await provider.listRecords(zone, name)
  const alias = found.find(({ type }) => type === 'CNAME')
  if (alias && planned.has(alias.value)) return kept(wanted, [alias.value])
  if (alias)
    return blocked(wanted, [alias.value], `${name} is an alias of ${alias.value}. Remove that CNAME record first.`)
  const items = wanted.map(record => planRecord(found, record, wanted))
  const remove = found.filter(record => isReplaced(record, wanted))
  const added = items.filter(({ action }) => action === 'create' || action === 'change')
  const add = added.map(({ type, value }) => ({ name, type, value, ttlSeconds: TTL_SECONDS }))
  return {
    items: [...items, ...removals(remove, items)],
    changes: add.length + remove.length > 0 && !items.some(isBlocked) ? [{ zone, add, ...apart(remove) }] : [],
  }
}

/** Ours, and those of others that were named. */
const apart = (records: readonly FoundRecord[]) => {
  const theirs = records.filter(({ isOurs }) => !isOurs)
  return {
    remove: records.filter(({ isOurs }) => isOurs).map(plain),
    ...(theirs.length > 0 && { replace: theirs.map(plain) }),
  }
}

const isBlocked = ({ action }: PlannedRecord): boolean => action === 'blocked'

const plain = ({ name, type, value, ttlSeconds }: FoundRecord): DnsRecord => ({ name, type, value, ttlSeconds })

/** `v=spf1` and the like: a name has one text of each kind. Others have none and never exclude each other. */
const kindOf = (text: string): string | undefined => /^v=[A-Za-z0-9]+/.exec(text)?.[0].toLowerCase()

const isSameKind = (found: FoundRecord, { type, value }: WantedRecord): boolean =>
  found.type === type && (type !== 'TXT' || (kindOf(value) !== undefined && kindOf(found.value) === kindOf(value)))

const isAddress = ({ type }: { type: string }): boolean => type === 'A' || type === 'AAAA'

/** Ours, and no longer right: an address of another kind would lead some visitors elsewhere. */
const isReplaced = (record: FoundRecord, wanted: readonly WantedRecord[]): boolean =>
  (record.isOurs || wanted.some(({ type, replaces }) => type === record.type && replaces === record.value)) &&
  !wanted.some(({ type, value }) => type === record.type && value === record.value) &&
  wanted.some(other => isSameKind(record, other) || (isAddress(record) && isAddress(other)))

const planRecord = (
  found: readonly FoundRecord[],
  record: WantedRecord,
  all: readonly WantedRecord[],
): PlannedRecord => {
  const { name, type, value } = record
  const same = found.filter(other => isSameKind(other, record))
  const before = same.map(other => other.value)
  const isThere = found.some(other => other.type === type && other.value === value)
  const foreign = same.find(
    other =>
      !other.isOurs && other.value !== record.replaces && !all.some(({ value: wanted }) => wanted === other.value),
  )
  if (foreign) {
    const reason = `${name} has a record of type ${type} that the panel did not create (${foreign.value}). Remove it first.`
    return { ...record, action: 'blocked', before, reason }
  }
  if (isThere) return { ...record, action: 'keep', before, reason: null }
  return { ...record, action: before.length > 0 ? 'change' : 'create', before, reason: null }
}

/** What goes without another of its type in its place. */
const removals = (remove: readonly FoundRecord[], items: readonly PlannedRecord[]): PlannedRecord[] =>
  remove.flatMap(({ name, type, value }) =>
    type === 'CNAME' || items.some(item => item.type === type && item.action === 'change')
      ? []
      : [{ name, type, value, action: 'remove' as const, before: [value], reason: null }],
  )

const blocked = (wanted: readonly WantedRecord[], before: string[], reason: string): DnsPlan => ({
  items: wanted.map(record => ({ ...record, action: 'blocked', before, reason })),
  changes: [],
})

const kept = (wanted: readonly WantedRecord[], before: string[]): DnsPlan => ({
  items: wanted.map(record => ({ ...record, action: 'keep', before, reason: null })),
  changes: [],
})

/** The removal of the panel's own address records of these names, and of nothing else. */
export const planRemoval = async (scope: Asking, names: readonly string[], signal: AbortSignal): Promise<DnsPlan> => {
  const provider = await openProvider(scope, signal)
  const zones = await provider.listZones(names)
  const parts: DnsPlan[] = []
  for (const name of names) {
    const zone = zoneOf(zones, name)
    const found = zone ? await provider.listRecords(zone, name) : []
    const remove = found.filter(record => record.isOurs && isAddress(record))
    if (zone && remove.length > 0)
      parts.push({ items: removals(remove, []), changes: [{ zone, add: [], remove: remove.map(plain) }] })
  }
  return { items: parts.flatMap(({ items }) => items), changes: parts.flatMap(({ changes }) => changes) }
}
