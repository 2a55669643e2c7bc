import type { z } from 'zod'
import { BACKUP_TYPES, type BackupType } from '#features/backups/contract.ts'
import { type Destination, RETENTION_FIELDS } from '../contract.ts'
import type { Provider } from '../providers/contract.ts'
import { accessOf, filledFrom } from './fields.ts'

type Kind = z.infer<typeof BackupType>
type RetentionField = (typeof RETENTION_FIELDS)[number]

/** The form of a destination. */
export interface DestinationValues {
  name: string
  provider: Provider
  /** By path: `config.bucket`, `secrets.password`. */
  filled: Record<string, string>
  encryption: boolean
  backfill: boolean
  copyTypes: Kind[]
  /** Numbers as they are typed; empty for no limit. */
  retention: Record<RetentionField, string>
}

const emptyRetention = (): DestinationValues['retention'] =>
  Object.fromEntries(RETENTION_FIELDS.map(name => [name, ''])) as DestinationValues['retention']

export const newValues = (): DestinationValues => ({
  name: '',
  provider: 's3',
  filled: {},
  encryption: true,
  backfill: true,
  copyTypes: [...BACKUP_TYPES],
  retention: emptyRetention(),
})

export const valuesOf = (destination: Destination): DestinationValues => ({
  name: destination.name,
  provider: destination.provider,
  filled: filledFrom(destination.config),
  encryption: destination.encryption,
  backfill: destination.backfill,
  copyTypes: destination.copyTypes,
  retention: Object.fromEntries(
    RETENTION_FIELDS.map(name => [name, destination[name] === null ? '' : String(destination[name])]),
  ) as DestinationValues['retention'],
})

/** What a request says of them; the provider is only said once. */
export const requestOf = ({
  name,
  provider,
  filled,
  encryption,
  backfill,
  copyTypes,
  retention,
}: DestinationValues) => ({
  name: name.trim(),
  ...accessOf(provider, filled),
  encryption,
  backfill,
  copyTypes,
  ...(Object.fromEntries(
    RETENTION_FIELDS.map(field => [field, retention[field].trim() === '' ? null : Number(retention[field])]),
  ) as Record<RetentionField, number | null>),
})
