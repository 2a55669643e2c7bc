import { InvalidArgumentError } from 'commander'
import type { Field, Kind } from './fields.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

const parseNumber = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.')
  return value
}

const parseBoolean = (text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.')
  return text === 'true'
}

const parseChoice = (text: string, choices: string[]): string => {
  if (choices.length > 0 && !choices.includes(text)) {
    throw new InvalidArgumentError(`It must be one of: ${choices.join(', ')}.`)
  }
  return text
}

const parseOne = (text: string, kind: Kind, choices: string[]): unknown => {
  if (kind === 'number') return parseNumber(text)
  if (kind === 'boolean') return parseBoolean(text)
  return kind === 'string' ? parseChoice(text, choices) : parseJson(text)
}

/** Lists are given by repeating the option, as a JSON array, or with commas where an item cannot hold one. */
const parseItems = (text: string, field: Field): unknown[] => {
  if (text.startsWith('[')) {
    const items = parseJson(text)
    if (Array.isArray(items)) return items
  }
  const takesCommas = field.item === 'number' || field.choices.length > 0
  const texts = takesCommas ? text.split(',') : [text]
  return texts.map(one => parseOne(one.trim(), field.item, field.choices))
}

/** One option as the endpoint takes it; `before` is what the same option gave already. */
export const parseValue = (field: Field, text: string, before: unknown): unknown => {
  if (field.nullable && text === 'null') return null
  if (field.kind === 'list') return [...(Array.isArray(before) ? before : []), ...parseItems(text, field)]
  return parseOne(text, field.kind, field.choices)
}
