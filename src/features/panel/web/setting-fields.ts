import { z } from 'zod'
import type { SettingsAnswer } from '#features/panel/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { sentence } from '#web/kit/field-errors.ts'

export type Settings = z.infer<typeof SettingsAnswer>
export type Section = Settings['sections'][number]
export type Field = Section['fields'][number]

/** A value as its field on the page holds it. */
export type Shown = string | boolean
/** What was changed and not saved yet, by `section.field`. */
export type Draft = Readonly<Record<string, Shown>>

const Described = z.looseObject({
  title: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})

const described = ({ schema }: Field) => Described.catch({}).parse(schema)

type Kind = 'switch' | 'choice' | 'number' | 'lines' | 'secret' | 'text'

export const kindOf = (field: Field): Kind => {
  if (field.secret) return 'secret'
  const { type, enum: choices } = described(field)
  if (choices) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'array' ? 'lines' : 'text'
}

export const choicesOf = (field: Field): string[] => described(field).enum ?? []

/** The smallest and the largest number, where the field has them. */
export const rangeOf = (field: Field): { min: number | undefined; max: number | undefined } => {
  const { minimum: min, maximum: max } = described(field)
  return { min, max }
}

const UNITS = ['Days', 'Hours', 'Minutes', 'Seconds', 'MiB', 'GiB'] as const
const SPELLED: Record<string, string> = { url: 'URL', cpus: 'CPUs', php: 'PHP', dns: 'DNS', ip: 'IP' }

export const unitOf = ({ name }: Field): string | undefined => {
  const unit = UNITS.find(ending => name.endsWith(ending))
  return unit?.endsWith('iB') ? unit : unit?.toLowerCase()
}

/** What a field is called: the title its feature gave it, or its name in words, without its unit. */
export const labelOf = (field: Field): string => {
  const unit = UNITS.find(ending => field.name.endsWith(ending)) ?? ''
  const words = field.name.slice(0, field.name.length - unit.length).split(/(?=[A-Z])/)
  const spelled = words.map(word => SPELLED[word.toLowerCase()] ?? word.toLowerCase())
  return described(field).title ?? sentence(spelled.join(' '))
}

export const toShown = (value: unknown): Shown => {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.join('\n')
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))

const toValue = (field: Field, shown: Shown): unknown => {
  if (typeof shown === 'boolean') return shown
  const kind = kindOf(field)
  if (kind === 'number') return Number(shown)
  if (kind === 'secret') return shown
  if (kind !== 'lines') return shown.trim()
  return shown
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** The default as a person would say it. */
export const defaultText = (field: Field): string => {
  const shown = toShown(field.default)
  if (typeof shown === 'boolean') return shown ? 'on' : 'off'
  const unit = unitOf(field)
  return shown === '' ? 'empty' : [shown, unit].filter(Boolean).join(' ')
}

export const pathOf = (section: Section, field: Field): string => `${section.id}.${field.name}`

/** What is sent: the changed fields of the changed sections. */
export const changesIn = (sections: readonly Section[], draft: Draft): Record<string, Record<string, unknown>> => {
  const changed = sections.flatMap(section =>
    section.fields.flatMap(field => {
      const shown = draft[pathOf(section, field)]
      return shown === undefined ? [] : [{ section, field, shown }]
    }),
  )
  const faults = changed
    .filter(({ field, shown }) => kindOf(field) === 'number' && !isNumber(String(shown)))
    .map(({ section, field }) => ({ path: pathOf(section, field), message: 'Enter a number' }))
  if (faults.length > 0) throw new Problem('validation_error', 'Check the marked fields.', faults)
  const changes: Record<string, Record<string, unknown>> = {}
  for (const { section, field, shown } of changed) {
    changes[section.id] = { ...changes[section.id], [field.name]: toValue(field, shown) }
  }
  return changes
}
