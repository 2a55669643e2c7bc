import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { api } from '#app/contract.ts'
import { features } from '#app/features.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { failedText } from '#platform/contract/job-outcome.ts'
import { fieldWords } from '#platform/contract/plain-messages.ts'
import { testPanel } from './support/panel.ts'

/** What the validator itself would say. */
const VALIDATOR_TEXT = /Too (?:big|small)|[Ii]nvalid|expected|received|<=|>=|regex|pattern|zod/

const WRONG = [undefined, null, '', 'x'.repeat(5000), 'two\nlines', -1, 1e300, 1.5, true, [], {}, [7], { a: 1 }]

const endpoints: [string, Endpoint][] = Object.entries(api)

const fieldsOf = (schema: z.ZodType | undefined): string[] => {
  if (!schema) return []
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const forms = [shape, ...(shape.anyOf ?? [])] as { properties?: Record<string, unknown> }[]
  return [...new Set(forms.flatMap(form => Object.keys(form.properties ?? {})))]
}

const messagesOf = (schema: z.ZodType): string[] => {
  const bodies = fieldsOf(schema).flatMap(name => WRONG.map(value => ({ [name]: value })))
  return [...WRONG, ...bodies].flatMap(
    value => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [],
  )
}

describe('what a wrong request is told', () => {
  it('is never the text of the validator, for any field of any endpoint', () => {
    const said = endpoints.flatMap(([id, { params, query, body }]) =>
      [params, query, body].flatMap(schema => (schema ? messagesOf(schema).map(text => `${id}: ${text}`) : [])),
    )
    assert.ok(said.length > 1000, `${said.length} messages`)
    assert.deepEqual([...new Set(said.filter(text => VALIDATOR_TEXT.test(text)))], [])
  })

  it('names the field in words and says what it must be', async () => {
    const panel = await testPanel()
    try {
      const told = async (path: string, body: unknown) => {
        const headers = { authorization: `Bearer ${panel.token.full}` }
        const answer = await panel.ask(path, { method: 'POST', headers, body })
        assert.equal(answer.status, 400)
        return (answer.json() as { error: { message: string } }).error.message
      }
      const key = { name: 'x', access: 'full' }
      assert.equal(await told('/api/keys', { ...key, name: 'x'.repeat(101) }), 'Name must have at most 100 characters.')
      assert.equal(await told('/api/keys', { ...key, name: '' }), 'Name must not be empty.')
      assert.equal(await told('/api/keys', { access: 'full' }), 'Name is required.')
      assert.equal(await told('/api/keys', { ...key, expiresAt: 1 }), 'Expires at must be in the future.')
      assert.equal(await told('/api/keys', { ...key, colour: 'red' }), 'Colour is not a field of this request.')
      assert.match(await told('/api/keys', { ...key, access: 'owner' }), /^Access must be one of: read-only, /)
      assert.equal(await told('/api/auth/login', { email: 'anna' }), 'Email must be an email address.')
      assert.equal(await told('/api/auth/login', { email: 'a@b.example', password: 5 }), 'Password must be text.')
    } finally {
      await panel.stop()
    }
  })

  it('turns the names of fields into words', () => {
    assert.deepEqual(['name', 'expiresAt', 'mail.fromName'].map(fieldWords), ['Name', 'Expires at', 'Mail from name'])
  })
})

describe('how a job ended', () => {
  it('is told in a sentence, whatever the job', () => {
    const types = features.flatMap(({ jobs = [] }) => jobs)
    const told = types.map(({ label }) => failedText({ label, siteSlug: 'shop' }))
    // It is no act on something.
    assert.deepEqual(
      told.filter(text => !text.startsWith("Couldn't ")),
      ['Housekeeping failed on shop'],
    )
  })
})
