export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'TXT'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** One value of a name, as people write it: no dot at the end of names, no quotes around texts. */
export interface DnsRecord {
  readonly name: string
  readonly type: RecordType
  readonly value: string
  readonly ttlSeconds: number
}

export interface FoundRecord extends DnsRecord {
  /** It carries the panel's marker. All others belong to someone else. */
  readonly isOurs: boolean
}

export interface Zone {
  readonly name: string
  /** What the provider calls it. */
  readonly id: string
}

export interface RecordChanges {
  readonly add: readonly DnsRecord[]
  readonly remove: readonly DnsRecord[]
  /** Records of others that a person wants gone. All others without the marker stay. */
  readonly replace?: readonly DnsRecord[]
}

/** A service that answers for zones and lets the panel change them. Failures are DnsRefused, DnsUnreachable, or the reason of `signal`. */
export interface DnsProvider {
  /** The zones that the token reaches; where a provider can't list them, those that hold one of these names. */
  listZones(names: readonly string[]): Promise<Zone[]>
  /** Throws DnsRefused when records of the zone can't be changed. Changes nothing. */
  checkRight(zone: Zone): Promise<void>
  /** Every record at this name, of the types that the panel knows. */
  listRecords(zone: Zone, name: string): Promise<FoundRecord[]>
  /** Adds with the marker, then removes what has it. May run again; never touches a record of someone else. */
  change(zone: Zone, changes: RecordChanges): Promise<void>
}

/** The zone that a name belongs to: the longest one. */
export const zoneOf = (zones: readonly Zone[], name: string): Zone | undefined =>
  zones
    .filter(zone => name === zone.name || name.endsWith(`.${zone.name}`))
    .toSorted((one, other) => other.name.length - one.name.length)[0]
