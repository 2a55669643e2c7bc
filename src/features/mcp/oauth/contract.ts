import { z } from 'zod'
import { AccessInput } from '#features/panel/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { CodeChallenge, Id, Label, Password, SiteSlug } from '#platform/contract/identifiers.ts'

const person = { level: 'full', mcp: 'no', personOnly: true } as const

export const AllowDangerous = z
  .boolean()
  .describe('allow destructive calls and saving files, each confirmed by a person')

/** What a person gives a connection, on every way to create one. */
export const granted = {
  name: Label.describe('how the connection is listed'),
  access: AccessInput.describe('what the connection may do'),
  allowDangerous: AllowDangerous.prefault(false),
  siteSlugs: z.array(SiteSlug).max(200).nullish().describe('limit it to these sites; null or omitted: all sites'),
}

/** As the app put it into the address of the consent page. */
const Asked = z.strictObject({
  client_id: Id,
  redirect_uri: z.string().max(500).describe('where the app wants the answer; one it registered'),
  response_type: z.literal('code').describe('always code'),
  code_challenge: CodeChallenge.describe('hash of the secret the app shows later (PKCE)'),
  code_challenge_method: z.literal('S256').describe('always S256'),
  state: z.string().max(4000).optional().describe('returned to the app unchanged'),
  scope: z.string().max(200).optional().describe('ignored: the person chooses the access'),
  resource: z.string().max(500).optional().describe('the address of /mcp, if the app names it'),
})
export type Asked = z.output<typeof Asked>

export const consent = contract({
  mcpConsentGet: {
    ...person,
    method: 'GET',
    path: '/api/mcp/consent',
    summary: 'Show which app asks to be connected, and where it is sent back to',
    query: Asked,
    reply: z.object({
      clientName: z.string().describe('what the app calls itself; no one has checked it'),
      returnsTo: z.string().describe('where the answer goes'),
      denyTo: z.string().describe('the address that tells the app no'),
      proof: z.enum(['code', 'password']).describe('what the person has to give'),
    }),
  },
  mcpConsentGive: {
    ...person,
    method: 'POST',
    path: '/api/mcp/consent',
    summary: 'Connect an app that asks on the consent page; returns where to send the browser',
    body: z.strictObject({
      asked: Asked.describe('what the app put into the address of the consent page'),
      proof: Password.describe('a code of two-factor authentication, or the password where that is off'),
      ...granted,
    }),
    reply: z.object({ redirectTo: z.string() }),
  },
})
