import { plainLine, plainText } from '../plain-text.ts'
import { bytes, seconds } from '../terminal.ts'

type Row = Record<string, unknown>

const GAP = '  '
const WIDEST_CELL = 60

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

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
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return plainLine(value.join(', ')) || '-'
  const text = plainLine(typeof value === 'string' ? value : JSON.stringify(value))
  return text === '{}' ? '-' : text
}

const columnsOf = (rows: Row[]): string[] => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const hasContent = (name: string) => rows.some(row => cell(name, row[name]) !== '-')
  return names.filter(name => hasContent(name) && rows.every(row => !isRow(row[name]) && !isTable(row[name])))
}

const clip = (text: string): string => (text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text)

/** `timeoutMs` is shown with its unit in every cell, so the heading leaves it out. */
const heading = (name: string): string =>
  plainLine(name)
    .replace(/(?:Ms|Bytes)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toUpperCase()

/** A terminal gets as many columns as fit; a file gets all of them whole. */
const table = (rows: Row[], width: number | undefined): string[] => {
  const names = columnsOf(rows)
  const cells = rows.map(row =>
    names.map(name => (width === undefined ? cell(name, row[name]) : clip(cell(name, row[name])))),
  )
  const headings = names.map(heading)
  const widths = headings.map((name, at) => Math.max(name.length, ...cells.map(row => row[at]?.length ?? 0)))
  let used = 0
  const kept = widths.findIndex(one => {
    used += one + GAP.length
    return width !== undefined && used - GAP.length > width
  })
  const count = kept === -1 ? names.length : Math.max(1, kept)
  const line = (texts: string[]) =>
    texts
      .slice(0, count)
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd()
  const left = names.length - count
  return [
    line(headings),
    ...cells.map(line),
    ...(left > 0 ? [`(${left} more columns with --json or a wider window)`] : []),
  ]
}

const entry = (name: string, value: unknown, width: number | undefined, pad: number): string[] => {
  const label = plainLine(name)
  const indented = (lines: string[]) => [`${label}:`, ...lines.map(line => `${GAP}${line}`)]
  if (isTable(value)) return indented(table(value, width === undefined ? undefined : width - GAP.length))
  if (isRow(value) && Object.keys(value).length > 0) return indented(show(value, width))
  if (typeof value === 'string' && value.includes('\n')) return indented(plainText(value.trimEnd()).split('\n'))
  return [`${label.padEnd(pad)}${GAP}${cell(name, value)}`]
}

/** An answer for people: lists as tables, the rest as names and values. */
export const show = (answer: unknown, width: number | undefined): string[] => {
  if (isTable(answer)) return table(answer, width)
  if (!isRow(answer)) return [typeof answer === 'string' ? plainText(answer) : cell('', answer)]
  const names = Object.keys(answer)
  if (names.length === 1 && isRow(answer[names[0] ?? ''])) return show(answer[names[0] ?? ''], width)
  const { items, ...rest } = answer
  const pad = Math.max(0, ...Object.keys(rest).map(name => name.length))
  const lines = Object.entries(rest).flatMap(([name, value]) => entry(name, value, width, pad))
  if (!Array.isArray(items)) return lines
  const listed = items.length > 0 ? table(items.filter(isRow), width) : ['(nothing)']
  return lines.length > 0 ? [...listed, '', ...lines] : listed
}
