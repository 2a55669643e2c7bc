import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { apiGroups } from './api-groups.ts'
import { api } from './contract.ts'
import { exampleAnswer, exampleCall, exampleOf } from './reference-example.ts'
import { renderReference } from './reference-page.ts'

const endpoints = Object.entries<Endpoint>(api)

describe('the API reference', () => {
  const { html } = renderReference()

  it('shows a call and a response for every endpoint but sockets, and the way back', () => {
    const count = (text: string) => html.split(text).length - 1
    const grouped = apiGroups().flatMap(({ contract }) => Object.values(contract))
    const called = grouped.filter(({ socket }) => !socket).length
    assert.equal(count('<h4>Example call</h4>'), called)
    assert.equal(count('<h4>Example response</h4>'), called)
    assert.match(html, /<a href="\/">/)
    assert.doesNotMatch(html, /<script(?! src="\/docs\.js" defer>)/)
  })

  it('has only examples that their endpoint would take and give', () => {
    const wrong: string[] = []
    for (const [id, { params, query, body, reply }] of endpoints) {
      for (const [place, schema] of Object.entries({ params, query, body })) {
        const parsed = schema?.safeParse(exampleOf(schema, 'input'))
        if (parsed?.error) wrong.push(`${id} ${place}: ${parsed.error.message}`)
      }
      const parsed = reply?.safeParse(exampleOf(reply, 'output'))
      if (parsed?.error) wrong.push(`${id} reply: ${parsed.error.message}`)
    }
    assert.deepEqual(wrong, [], 'give the field an example with .meta({ examples: [...] }) in its contract')
  })

  it('writes calls for a terminal: the key from the environment, what is needed and nothing else', () => {
    assert.equal(
      exampleCall(api.siteStart),
      'curl -X POST https://panel.example.com/api/sites/harbor/start \\\n  -H "Authorization: Bearer $FLEETPRESS_KEY"',
    )
    assert.equal(exampleCall(api.health), 'curl https://panel.example.com/api/health')
    assert.match(exampleCall(api.siteCreate), /-d '\{"title":"Harbor Café","slug":"harbor",/)
    assert.match(exampleAnswer(api.siteStart), /^HTTP 202\n\{\n {2}"job": \{/)
  })
})
