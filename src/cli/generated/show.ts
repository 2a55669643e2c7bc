import { JobProgress } from '#platform/contract/job.ts'
import { progressText } from '#platform/contract/progress-text.ts'
import { EXIT, Failure } from '../failure.ts'
import { plainLine, plainText } from '../plain-text.ts'
import { bytes, seconds } from '../terminal.ts'

type Row = Record<string, unknown>

const GAP = '  '
const WIDEST_CELL = 40

/** How an answer is laid out. */
export interface Layout {
  /** In characters; undefined for everything, whole. */
  width: number | undefined
  /** The columns of its list, by their names in the API. */
  columns?: readonly string[] | undefined
  /** Takes what should be said about the answer, next to it. */
  notes?: string[]
}

const isProgress = (value: unknown): value is JobProgress => JobProgress.safeParse(value).success

/** Names with values; how far a job is takes one cell. */
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isProgress(value)

const isTable = (value: unknown): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow)

const time = (unixMs: number): string => {
  const date = new Date(unixMs)
  return Number.isNaN(date.getTime()) ? String(unixMs) : date.toISOString().slice(0, 19).replace('T', ' ')
}

const number = (name: string, value: number): string => {
  if (/(?:^at|At|since|until)$/.test(name)) return time(value)
  if (name.endsWith('Bytes')) return bytes(value)
  return name.endsWith('Ms') ? seconds(value) : String(value)
}

/** A value on one line; what is nested deeper is shown as JSON. */
const cell = (name: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return number(name, value)
  if (isProgress(value)) return progressText(value, bytes)
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return plainLine(value.join(', ')) || '-'
  const text = plainLine(typeof value === 'string' ? value : JSON.stringify(value))
  return text === '{}' ? '-' : text
}

const columnsOf = (rows: Row[], chosen: readonly string[] | undefined): string[] => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  if (chosen) return chosen.map(name => requireColumn(name, names))
  const hasContent = (name: string) => rows.some(row => cell(name, row[name]) !== '-')
  return names.filter(name => hasContent(name) && rows.every(row => !isRow(row[name]) && !isTable(row[name])))
}

const requireColumn = (name: string, names: string[]): string => {
  if (names.includes(name)) return name
  throw new Failure(`There is no column ${name}. Choose from: ${names.map(plainLine).join(', ')}.`, EXIT.usage)
}

const clip = (text: string): string => (text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text)

/** `timeoutMs` is shown with its unit in every cell, so the heading leaves it out. */
const heading = (name: string): string =>
  plainLine(name)
    .replace(/(?:Ms|Bytes)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toUpperCase()

/** How many columns of these widths fit; the first one always does. */
const countFitting = (widths: readonly number[], room: number | undefined): number => {
  let used = -GAP.length
  const first = widths.findIndex(width => {
    used += width + GAP.length
    return room !== undefined && used > room
  })
  return first === -1 ? widths.length : Math.max(1, first)
}

/** As many columns as fit, unless some were chosen or everything is wanted. */
const table = (rows: Row[], layout: Layout): string[] => {
  const names = columnsOf(rows, layout.columns)
  const room = layout.columns ? undefined : layout.width
  const cells = rows.map(row =>
    names.map(name => (room === undefined ? cell(name, row[name]) : clip(cell(name, row[name])))),
  )
  const headings = names.map(heading)
  const widths = headings.map((name, at) => Math.max(name.length, ...cells.map(row => row[at]?.length ?? 0)))
  const count = countFitting(widths, room)
  if (count < names.length)
    layout.notes?.push(`${names.length - count} more columns with --wide, or name some with --columns.`)
  const line = (texts: string[]) =>
    texts
      .slice(0, count)
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd()
  return [line(headings), ...cells.map(line)]
}

const narrower = (layout: Layout): Layout => ({
  ...layout,
  width: layout.width === undefined ? undefined : layout.width - GAP.length,
})

const entry = (name: string, value: unknown, layout: Layout, pad: number): string[] => {
  const label = plainLine(name)
  const indented = (lines: string[]) => [`${label}:`, ...lines.map(line => `${GAP}${line}`)]
  if (isTable(value)) return indented(table(value, { ...narrower(layout), columns: undefined }))
  if (isRow(value) && Object.keys(value).length > 0) return indented(linesOf(value, narrower(layout)))
  if (typeof value === 'string' && value.includes('\n')) return indented(plainText(value.trimEnd()).split('\n'))
  return [`${label.padEnd(pad)}${GAP}${cell(name, value)}`]
}

const linesOf = (answer: unknown, layout: Layout): string[] => {
  if (isTable(answer)) return table(answer, layout)
  if (!isRow(answer)) return [typeof answer === 'string' ? plainText(answer) : cell('', answer)]
  const [only, ...others] = Object.values(answer)
  if (others.length === 0 && isRow(only)) return linesOf(only, layout)
  const { items, ...rest } = answer
  const pad = Math.max(0, ...Object.keys(rest).map(name => name.length))
  const lines = Object.entries(rest).flatMap(([name, value]) => entry(name, value, layout, pad))
  if (!Array.isArray(items)) return lines
  const listed = items.length > 0 ? table(items.filter(isRow), layout) : ['(nothing)']
  return lines.length > 0 ? [...listed, '', ...lines] : listed
}

/** An answer for people: lists as tables, the rest as names and values. A text by itself, such as a key, can be used as it is. */
export const show = (answer: unknown, layout: Layout): string[] => {
  const [only, ...others] = isRow(answer) ? Object.values(answer) : []
  return linesOf(typeof only === 'string' && others.length === 0 ? only : answer, layout)
}
