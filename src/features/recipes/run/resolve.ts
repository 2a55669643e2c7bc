import { CodedError } from '#platform/contract/known-error.ts'
import { InputRef, type Word } from '../steps/contract.ts'
import type { InputValue } from '../values.ts'

export type Values = ReadonlyMap<string, InputValue>

const valueOf = (values: Values, { $input }: InputRef): InputValue => {
  const value = values.get($input)
  if (value === undefined) throw new CodedError('input_missing', `The input ${$input} has no value.`)
  return value
}

export const resolveWord = (values: Values, word: Word | number | boolean): InputValue =>
  typeof word === 'object' ? valueOf(values, word) : word

/** Inputs stand for whole values: nothing is ever put together from parts. */
export const resolveJson = (values: Values, value: unknown): unknown => {
  const ref = InputRef.safeParse(value)
  if (ref.success) return valueOf(values, ref.data)
  if (Array.isArray(value)) return value.map(item => resolveJson(values, item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveJson(values, inner)]))
}
