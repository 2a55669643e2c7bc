import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  type AuthProvider,
  Client,
  type OAuthClientInformationFull,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { insertSite } from '#features/sites/site-store.ts'
import { fetchOf, rpc } from '#test/support/mcp.ts'
import { addPerson, dumpTables } from '#test/support/outbox.ts'
import { type Answer, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { type Clock, codeAt, enrolTotp, movableClock } from '#test/support/totp.ts'

const REDIRECT = 'https://app.example/callback'
const MINUTE_MS = 60_000

interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
}

const newVerifier = () => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

for (const engineName of ENGINES) {
  describe(`signing in through the browser on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let clock: Clock
    let resource: string
    before(async () => {
      clock = movableClock()
      panel = await testPanel({ engineName, now: clock.now })
      resource = `${panel.config.publicUrl}/mcp`
      await insertSite(panel.foundation.database.db, siteRow('shop', 0), ['shop.localhost'])
    })
    after(() => panel.stop())

    const post = (path: string, form: Record<string, string>) =>
      panel.ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        raw: new URLSearchParams(form).toString(),
      })
    const register = async (body: object = { client_name: 'Test', redirect_uris: [REDIRECT] }) => {
      clock.forward(4 * MINUTE_MS)
      return panel.ask('/oauth/register', { method: 'POST', body })
    }
    const newClient = async () => ((await register()).json() as { client_id: string }).client_id
    const asked = (client_id: string, verifier: string, more: object = {}) => ({
      client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      state: 'a state',
      resource,
      ...more,
    })
    const consent = async (request: object, more: object = {}): Promise<Answer> =>
      panel.askAs(await panel.owner(), '/api/mcp/consent', {
        method: 'POST',
        body: { asked: request, proof: OWNER.password, name: 'Claude', access: 'manage', ...more },
      })
    const codeIn = (answer: Answer): string => {
      const { redirectTo } = answer.json() as { redirectTo: string }
      return new URL(redirectTo).searchParams.get('code') ?? ''
    }
    /** Up to a code that was not used yet. */
    const begin = async (granted: object = {}) => {
      const [clientId, verifier] = [await newClient(), newVerifier()]
      const code = codeIn(await consent(asked(clientId, verifier), granted))
      const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: REDIRECT, resource }
      return { clientId, verifier, form: { ...form, code_verifier: verifier } }
    }
    const signIn = async (granted: object = {}) => {
      const begun = await begin(granted)
      const answer = await post('/oauth/token', begun.form)
      assert.equal(answer.status, 200, answer.text)
      return { ...begun, tokens: answer.json() as Tokens }
    }
    const works = async (token: string) => (await rpc(panel, token, 'tools/list')).status === 200
    const errorOf = (answer: Answer) => [answer.status, (answer.json() as { error: string }).error]
    const refresh = (clientId: string, token: string) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })

    it('works with the official client that knows the address alone', async () => {
      let opened: URL | undefined
      let saved: OAuthTokens | undefined
      let info: OAuthClientInformationFull | undefined
      let verifier = ''
      const provider: OAuthClientProvider = {
        redirectUrl: REDIRECT,
        clientMetadata: { client_name: 'Official', redirect_uris: [REDIRECT] },
        clientInformation: () => info,
        saveClientInformation: given => {
          info = given as OAuthClientInformationFull
        },
        tokens: () => saved,
        saveTokens: tokens => {
          saved = tokens
        },
        redirectToAuthorization: url => {
          opened = url
        },
        saveCodeVerifier: given => {
          verifier = given
        },
        codeVerifier: () => verifier,
      }
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(resource), {
          fetch: fetchOf(panel),
          authProvider: provider as AuthProvider & OAuthClientProvider,
        })
      const client = new Client({ name: 'official', version: '1' })
      const first = transport()
      await assert.rejects(client.connect(first), UnauthorizedError)
      assert.equal(opened?.pathname, '/oauth/authorize')
      const request = Object.fromEntries(opened.searchParams)
      const shown = await panel.askAs(await panel.owner(), `/api/mcp/consent?${opened.searchParams.toString()}`)
      assert.match(shown.text, /"clientName":"Official","returnsTo":"app\.example"/)
      const { redirectTo } = (await consent(request)).json() as { redirectTo: string }
      await first.finishAuth(new URL(redirectTo).searchParams)
      await client.connect(transport())
      const { tools } = await client.listTools()
      assert.equal(tools.length, 9)
    })

    it('gives what was chosen on the consent page, by whom, and shows it as a connection', async () => {
      const { tokens } = await signIn({ access: 'read-only', siteSlugs: ['shop'], allowDangerous: true })
      assert.deepEqual([tokens.scope, tokens.expires_in], ['read-only', 3600])
      assert.ok(await works(tokens.access_token))
      const [connection] = (await panel.as('full').mcpConnectionList()).items
      assert.deepEqual(
        [connection?.name, connection?.access, connection?.siteSlugs, connection?.allowDangerous, connection?.signIn],
        ['Claude', 'read-only', ['shop'], true, 'browser'],
      )
      assert.equal(connection?.createdBy, OWNER.name)
    })

    it('says where everything is, with its own address only', async () => {
      const { publicUrl } = panel.config
      for (const path of ['', '/mcp']) {
        const answer = await panel.ask(`/.well-known/oauth-protected-resource${path}`)
        const about = answer.json() as { resource: string; authorization_servers: string[] }
        assert.deepEqual([about.resource, about.authorization_servers], [resource, [publicUrl]])
      }
      const server = (await panel.ask('/.well-known/oauth-authorization-server')).json() as Record<string, string>
      assert.equal(server.issuer, publicUrl)
      for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])
        assert.ok(server[name]?.startsWith(`${publicUrl}/oauth/`), name)
      assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
    })

    it('refuses a code that is used twice, and ends what came of it', async () => {
      const { form, tokens } = await signIn()
      assert.ok(await works(tokens.access_token))
      assert.deepEqual(errorOf(await post('/oauth/token', form)), [400, 'invalid_grant'])
      assert.equal(await works(tokens.access_token), false)
    })

    it('gives tokens once, however many bring the code at the same time', async () => {
      const { form } = await begin()
      const answers = await Promise.all(Array.from({ length: 10 }, () => post('/oauth/token', form)))
      const given = answers.filter(({ status }) => status === 200)
      assert.ok(given.length <= 1)
      for (const { status, text } of answers) assert.ok(status === 200 || text.includes('invalid_grant'), text)
    })

    it('refuses a wrong verifier, another redirect, client or audience, and a code that has expired', async () => {
      const other = await newClient()
      const wrong: [change: object, error: string][] = [
        [{ code_verifier: newVerifier() }, 'invalid_grant'],
        [{ code_verifier: 'short' }, 'invalid_grant'],
        [{ redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
        [{ client_id: other }, 'invalid_grant'],
        [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
        [{ grant_type: 'password' }, 'unsupported_grant_type'],
        [{ code: 'nonsense' }, 'invalid_grant'],
        [{ code_verifier: '' }, 'invalid_request'],
        [{ redirect_uri: '' }, 'invalid_request'],
      ]
      for (const [change, error] of wrong) {
        const { form } = await begin()
        assert.deepEqual(
          errorOf(await post('/oauth/token', { ...form, ...change })),
          [400, error],
          JSON.stringify(change),
        )
      }
      const { form } = await begin()
      clock.forward(MINUTE_MS)
      assert.deepEqual(errorOf(await post('/oauth/token', form)), [400, 'invalid_grant'])
    })

    it('lets access expire after an hour, and renews it with a refresh token that works once', async () => {
      const { clientId, tokens } = await signIn()
      clock.forward(60 * MINUTE_MS)
      const expired = await rpc(panel, tokens.access_token, 'tools/list')
      assert.equal(expired.status, 401)
      assert.match(String(expired.headers['www-authenticate']), /resource_metadata=/)
      const renewed = (await refresh(clientId, tokens.refresh_token)).json() as Tokens
      assert.ok(await works(renewed.access_token))
      assert.notEqual(renewed.refresh_token, tokens.refresh_token)
      assert.deepEqual(errorOf(await refresh(clientId, tokens.refresh_token)), [400, 'invalid_grant'])
      assert.equal(await works(renewed.access_token), false, 'a refresh token that is used twice ends the connection')
    })

    it('refuses a refresh token of another client, and an access token in its place', async () => {
      const { clientId, tokens } = await signIn()
      const other = await newClient()
      assert.deepEqual(errorOf(await refresh(other, tokens.refresh_token)), [400, 'invalid_grant'])
      assert.deepEqual(errorOf(await refresh(clientId, tokens.access_token)), [400, 'invalid_grant'])
      assert.equal(await works(tokens.refresh_token), false)
    })

    it('ends when the app signs out or an admin revokes it, for access and refresh', async () => {
      const out = await signIn()
      assert.equal((await post('/oauth/revoke', { token: out.tokens.refresh_token })).status, 200)
      assert.equal((await post('/oauth/revoke', { token: 'unknown' })).status, 200)
      const revoked = await signIn()
      const [connection] = (await panel.as('full').mcpConnectionList()).items
      await panel.as('full').mcpConnectionRevoke({ params: { id: connection?.id ?? '' } })
      for (const { clientId, tokens } of [out, revoked]) {
        assert.equal(await works(tokens.access_token), false)
        assert.deepEqual(errorOf(await refresh(clientId, tokens.refresh_token)), [400, 'invalid_grant'])
      }
    })

    it('opens nothing but /mcp with its tokens', async () => {
      const { tokens } = await signIn({ access: 'full' })
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        const answer = await panel.ask('/api/sites', { headers: { authorization: `Bearer ${token}` } })
        assert.ok([401, 403].includes(answer.status))
      }
    })

    it('asks the person again who they are, and no key can agree for them', async () => {
      const request = asked(await newClient(), newVerifier())
      assert.equal((await consent(request, { proof: 'not the password' })).status, 403)
      const body = { asked: request, proof: OWNER.password, name: 'x', access: 'full' }
      const headers = { authorization: `Bearer ${panel.token.full}` }
      assert.equal((await panel.ask('/api/mcp/consent', { method: 'POST', headers, body })).status, 403)
      const { cookie } = await panel.owner()
      const forged = await panel.ask('/api/mcp/consent', { method: 'POST', headers: { cookie }, body })
      assert.equal(forged.status, 403)
    })

    it('never answers a request it does not trust, and says no where it was asked', async () => {
      const clientId = await newClient()
      const wrong: object[] = [
        { client_id: '01900000-0000-7000-8000-000000000000' },
        { redirect_uri: 'https://evil.example/callback' },
        { redirect_uri: `${REDIRECT}/../evil` },
        { redirect_uri: `${REDIRECT}?x=1` },
        { response_type: 'token' },
        { code_challenge_method: 'plain' },
        { code_challenge: '' },
        { resource: 'https://other.example/mcp' },
      ]
      for (const change of wrong) {
        const answer = await consent(asked(clientId, newVerifier(), change))
        assert.ok([400, 403, 404].includes(answer.status), JSON.stringify(change))
        assert.ok(!answer.text.includes('redirectTo'))
      }
      const query = new URLSearchParams(asked(clientId, newVerifier()))
      const shown = await panel.askAs(await panel.owner(), `/api/mcp/consent?${query.toString()}`)
      const no = new URL((shown.json() as { denyTo: string }).denyTo)
      assert.equal(no.origin + no.pathname, REDIRECT)
      assert.deepEqual(Object.fromEntries(no.searchParams), {
        error: 'access_denied',
        state: 'a state',
        iss: panel.config.publicUrl,
      })
    })

    it('names itself in its answer, so that no other server can pretend to be it', async () => {
      const { redirectTo } = (await consent(asked(await newClient(), newVerifier()))).json() as { redirectTo: string }
      const { searchParams } = new URL(redirectTo)
      assert.deepEqual([searchParams.get('iss'), searchParams.get('state')], [panel.config.publicUrl, 'a state'])
    })

    it('registers apps with addresses that are safe to return to, and no others', async () => {
      const good = [REDIRECT, 'http://127.0.0.1:4000/cb', 'http://localhost/cb', 'http://[::1]:1/cb', 'cursor://x/cb']
      assert.equal((await register({ redirect_uris: good })).status, 201)
      for (const uri of [
        'http://app.example/cb',
        'javascript:alert(1)',
        'data:text/html,x',
        'file:///etc/passwd',
        'https://app.example/cb#x',
        'https://user:pass@app.example/cb',
        'not an address',
        '',
      ])
        assert.equal((await register({ redirect_uris: [REDIRECT, uri] })).status, 400, uri)
      for (const body of [{}, { redirect_uris: [] }, { redirect_uris: 'x' }, []])
        assert.equal((await register(body)).status, 400)
    })

    it('lets programs on a computer choose their port, and nothing else', async () => {
      const loopback = 'http://127.0.0.1:4000/cb'
      const answer = await register({ redirect_uris: [loopback] })
      const clientId = (answer.json() as { client_id: string }).client_id
      const tryAt = async (redirect_uri: string) =>
        (await consent(asked(clientId, newVerifier(), { redirect_uri }))).status
      assert.equal(await tryAt('http://127.0.0.1:51234/cb'), 200)
      for (const uri of ['http://127.0.0.1:4000/other', 'http://localhost:4000/cb', 'https://127.0.0.1:4000/cb'])
        assert.equal(await tryAt(uri), 403, uri)
    })

    it('keeps no token, code or verifier in the database', async () => {
      const { verifier, form, tokens } = await signIn()
      const rows = await dumpTables(panel)
      for (const secret of [verifier, form.code, tokens.access_token, tokens.refresh_token])
        assert.ok(!rows.includes(secret))
    })

    it('takes a code where two-factor authentication is on, each one once, and not the password', async () => {
      const tina = await addPerson(panel, 'tina@example.com')
      const { secret } = await enrolTotp(panel, tina, tina.password, clock)
      const request = asked(await newClient(), newVerifier())
      const give = (proof: string) =>
        panel.askAs(tina, '/api/mcp/consent', {
          method: 'POST',
          body: { asked: request, proof, name: 'x', access: 'read-only' },
        })
      assert.equal((await give(tina.password)).status, 403)
      const code = codeAt(secret, clock.now())
      assert.equal((await give(code)).status, 200)
      assert.equal((await give(code)).status, 403)
    })

    it('gives nothing in the name of someone who was locked or removed in the meantime', async () => {
      const [owner, bea] = [await panel.owner(), await addPerson(panel, 'bea@example.com')]
      const change = (method: 'PATCH' | 'DELETE', body: object) =>
        panel.askAs(owner, `/api/admins/${bea.id}`, { method, body: { ...body, password: OWNER.password } })
      const allowed = async () => {
        const [client_id, verifier] = [await newClient(), newVerifier()]
        const body = { asked: asked(client_id, verifier), proof: bea.password, name: 'x', access: 'full' }
        const code = codeIn(await panel.askAs(bea, '/api/mcp/consent', { method: 'POST', body }))
        return { grant_type: 'authorization_code', code, client_id, redirect_uri: REDIRECT, code_verifier: verifier }
      }
      const used = await allowed()
      const tokens = (await post('/oauth/token', used)).json() as Tokens
      const unused = await allowed()
      await change('PATCH', { disabled: true })
      assert.deepEqual(errorOf(await post('/oauth/token', unused)), [400, 'invalid_grant'])
      assert.equal((await rpc(panel, tokens.access_token, 'tools/list')).status, 403)
      const renewed = (await refresh(used.client_id, tokens.refresh_token)).json() as Tokens
      assert.equal(await works(renewed.access_token), false)
      await change('PATCH', { disabled: false })
      assert.ok(await works(renewed.access_token))
      clock.forward(2 * MINUTE_MS)
      await change('DELETE', {})
      assert.equal(await works(renewed.access_token), false)
      assert.deepEqual(errorOf(await refresh(used.client_id, renewed.refresh_token)), [400, 'invalid_grant'])
    })

    it('ends for an app that was not used for 90 days', async () => {
      const { clientId, tokens } = await signIn()
      clock.forward(90 * 24 * 60 * MINUTE_MS)
      assert.deepEqual(errorOf(await refresh(clientId, tokens.refresh_token)), [400, 'invalid_grant'])
    })
  })
}
