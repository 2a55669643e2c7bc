import type { Site } from '../contract.ts'
import type { DiskRow } from './disk-store.ts'

const MIB = 1024 ** 2
/** From this share of a limit on, Home says so. */
const NEAR = 0.9

/** 0 is not a limit. */
export interface DiskLimit {
  readonly bytes: number
  readonly files: number
}

export interface DefaultLimit {
  readonly diskMiB: number
  readonly files: number
}

export const limitOf = ({ limit_mib, limit_files }: DiskRow, { diskMiB, files }: DefaultLimit): DiskLimit => ({
  bytes: (limit_mib ?? diskMiB) * MIB,
  files: limit_files ?? files,
})

export const showDisk = (row: DiskRow, defaults: DefaultLimit): Site['disk'] => {
  const { bytes, files } = limitOf(row, defaults)
  return {
    usedBytes: row.used_bytes,
    usedFiles: row.used_files,
    limitBytes: bytes === 0 ? null : bytes,
    limitFiles: files === 0 ? null : files,
    ownLimitMiB: row.limit_mib,
    ownLimitFiles: row.limit_files,
    measuredAt: row.measured_at,
    stoppedAt: row.stopped_at,
  }
}

const share = (used: number | null, limit: number | null): number => (used ?? 0) / (limit ?? Number.POSITIVE_INFINITY)

export const isNearLimit = ({ usedBytes, usedFiles, limitBytes, limitFiles }: Site['disk']): boolean =>
  Math.max(share(usedBytes, limitBytes), share(usedFiles, limitFiles)) >= NEAR

export const isOverLimit = (used: DiskLimit, limit: DiskLimit): boolean =>
  (limit.bytes > 0 && used.bytes > limit.bytes) || (limit.files > 0 && used.files > limit.files)

const GIB = 1024 ** 3
const sizeText = (bytes: number): string =>
  bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`
const countText = (files: number): string => new Intl.NumberFormat('en').format(files)

/** `9.3 GiB of 10.0 GiB and 20,000 of 400,000 files`. */
export const useText = (used: DiskLimit, limit: DiskLimit): string => {
  const size = limit.bytes === 0 ? sizeText(used.bytes) : `${sizeText(used.bytes)} of ${sizeText(limit.bytes)}`
  const files = limit.files === 0 ? countText(used.files) : `${countText(used.files)} of ${countText(limit.files)}`
  return `${size} and ${files} files`
}
