import type { Overrides, Rate, Rows } from '../contract.ts'

export type Part = keyof Rows
export type RowValue = string | boolean | Rate | null

export const valueAt = (rows: Rows, part: Part, row: string): RowValue =>
  (rows[part] as Record<string, RowValue>)[row] ?? null

/** Undefined where the row is as the level says. */
export const overrideAt = (overrides: Overrides, part: Part, row: string): RowValue | undefined =>
  (overrides[part] as Record<string, RowValue> | undefined)?.[row]

/** With undefined the row is as the level says again. */
export const withOverride = (overrides: Overrides, part: Part, row: string, value: RowValue | undefined): Overrides => {
  const { [row]: _before, ...others } = (overrides[part] ?? {}) as Record<string, RowValue>
  const rows = value === undefined ? others : { ...others, [row]: value }
  const { [part]: _part, ...parts } = overrides
  return Object.keys(rows).length === 0 ? parts : { ...parts, [part]: rows }
}

const BOOLEANS: Partial<Record<Part, [no: string, yes: string]>> = { headers: ['Not sent', 'Sent'] }

export const valueText = (part: Part, value: RowValue): string => {
  if (value === null) return 'No limit'
  if (typeof value === 'string') return `${value.charAt(0).toUpperCase()}${value.slice(1)}`
  if (typeof value === 'object') return rateText(value)
  return (BOOLEANS[part] ?? ['Off', 'On'])[value ? 1 : 0]
}

export const rateText = ({ requests, per, burst }: Rate): string => `${requests}/${per}, burst ${burst}`

const RATE = /^(\d{1,5})\s*(?:\/|per)\s*(second|minute)(?:,?\s*burst\s*(\d{1,6}))?$/

/** What a person typed: empty for the level's own, `none`, or `20/minute, burst 2`. */
export const limitIn = (text: string): { value: Rate | null | undefined } | { error: string } => {
  const words = text.trim().toLowerCase()
  if (words === '') return { value: undefined }
  if (words === 'none' || words === 'no limit') return { value: null }
  const [, requests, per, burst = '0'] = RATE.exec(words) ?? []
  if (requests === undefined || Number(requests) === 0) return { error: 'Write 20/minute, burst 2, or none' }
  return { value: { requests: Number(requests), per: per === 'second' ? 'second' : 'minute', burst: Number(burst) } }
}
