import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { z } from 'zod'
import * as identifiers from '#platform/contract/identifiers.ts'
import type { Feature } from '#platform/feature.ts'
import { differenceOf, identifierTable, kinds } from './generated/identifier-table.ts'
import { type Field, fieldsOf, meaningOf, patternsOf } from './generated/kinds.ts'
import { plant } from './generated/planted.ts'

const { Email, FtpPassword, LinkToken, NewPassword, Password, SearchText, ServerId, SiteSlug, UnixMs } = identifiers

/** Fields of these names are of these kinds, in whatever request they stand. */
const KIND_OF_NAME: Record<string, readonly z.ZodType[]> = {
  email: [Email],
  siteSlug: [SiteSlug],
  serverId: [ServerId],
  q: [SearchText],
  since: [UnixMs],
  until: [UnixMs],
  password: [Password, NewPassword, FtpPassword],
  newPassword: [NewPassword],
  challenge: [LinkToken],
}

const HOW =
  'If it is meant, run `node_modules/.bin/node test/generated/identifier-table.ts > test/identifier-table.tsv`.'

const sharedPatterns = [...kinds().values()].flatMap(({ schema }) => patternsOf(schema))

/** Patterns that are written down a second time. */
const copies = (fields: readonly Field[]): string[] => {
  const first = new Map(sharedPatterns.map(pattern => [pattern.source, pattern]))
  const found = fields.flatMap(({ where, schema }) =>
    patternsOf(schema).flatMap(pattern => {
      const known = first.get(pattern.source) ?? pattern
      first.set(pattern.source, known)
      return known === pattern ? [] : [`${where} has a copy of ${pattern.source}`]
    }),
  )
  return [...new Set(found)]
}

const isValue = ({ schema }: Field) =>
  !(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodPrefault)

/** Fields whose name says another kind than their schema. */
const misnamed = (fields: readonly Field[]): string[] => {
  const byName = new Map<string, Field>()
  for (const field of fields) if (!byName.has(field.where) && isValue(field)) byName.set(field.where, field)
  return [...byName.values()].flatMap(({ where, name, schema }) => {
    const allowed = KIND_OF_NAME[name]
    const isRight = allowed?.some(kind => meaningOf(kind) === meaningOf(schema)) ?? true
    return isRight || where.startsWith('settings.') ? [] : [`${where} is no ${name} as identifiers.ts defines it`]
  })
}

const twin = (field: string, schema: z.ZodType): Feature =>
  plant(
    {
      planted: {
        method: 'POST',
        path: '/api/planted',
        level: 'full',
        summary: 'x',
        body: z.strictObject({ inner: z.array(z.strictObject({ [field]: schema.optional() })) }),
        reply: z.unknown(),
      },
    },
    { planted: async () => ({}) },
  )

describe('kinds of names', () => {
  const checkedIn = readFileSync(new URL('identifier-table.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

  it('take the characters that the checked-in table says, and no others', context => {
    const difference = differenceOf(checkedIn, identifierTable())
    assert.deepEqual(difference, [], `test/identifier-table.tsv differs:\n${difference.join('\n')}\n${HOW}`)
    assert.deepEqual(checkedIn, identifierTable(), `test/identifier-table.tsv is in another order. ${HOW}`)
    context.diagnostic(`${kinds().size} kinds x 128 characters x 4 positions`)
  })

  it('cannot be widened by one character without the table showing it', () => {
    const loose = z.string().regex(/^[a-z0-9&](?:[a-z0-9-]*[a-z0-9])?$/)
    const widened = new Map([...kinds(), ['SiteSlug', { schema: loose, sample: 'my-blog-2' }]])
    assert.deepEqual(differenceOf(checkedIn, identifierTable(widened)), [
      '- SiteSlug\tU+0026 &\treject\treject\treject\treject',
      '+ SiteSlug\tU+0026 &\taccept\taccept\treject\treject',
    ])
  })

  it('never take what ends a line, except for passwords, notes and the names of files', () => {
    for (const [name, { schema, sample }] of kinds()) {
      if (name.endsWith('Password') || name === 'Notes' || name === 'FilePath') continue
      for (const end of ['\n', '\r', '\r\n', '\0', '\u2028', '\u2029', '\u0085'])
        for (const text of [`${sample}${end}`, `${end}${sample}`])
          if (!(name === 'SearchText' && /[\u2028\u2029]/.test(text)))
            assert.equal(schema.safeParse(text).success, false, `${name} takes ${JSON.stringify(text)}`)
    }
  })

  it('are defined once: no pattern is written down a second time', () => {
    assert.deepEqual(copies(fieldsOf()), [])
  })

  it('are what fields of their name are', () => {
    assert.deepEqual(misnamed(fieldsOf()), [])
  })

  it('are known again in a twin', () => {
    const [pattern] = patternsOf(SiteSlug)
    assert.ok(pattern)
    const copy = z.string().regex(new RegExp(pattern.source))
    assert.equal(copies(fieldsOf([twin('slug', copy)])).length, 1)
    assert.equal(copies(fieldsOf([twin('slug', SiteSlug.describe('the same'))])).length, 0)
    for (const name of Object.keys(KIND_OF_NAME))
      assert.equal(misnamed(fieldsOf([twin(name, z.string().max(9))])).length, 1, name)
    assert.equal(misnamed(fieldsOf([twin('email', Email.describe('the same'))])).length, 0)
    assert.equal(misnamed(fieldsOf([twin('serverId', ServerId)])).length, 0)
  })
})
