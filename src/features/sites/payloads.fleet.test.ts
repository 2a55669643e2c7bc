import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { Label } from '#platform/contract/identifiers.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { siteNetwork } from './network.ts'

const LONGEST = 100
/** Sites of the normal run; the long one has them all. */
const SOME = 4

/** Every payload that may be a title, as many in one as it can hold; words that look like options stand first in one. */
const titles = (): string[] => {
  const packed = ['--url=http://evil.example', '-rf', '--help']
  for (const payload of PAYLOADS.filter(text => Label.safeParse(text).success)) {
    const longer = `${packed.at(-1)} ${payload}`
    if (packed.length > 3 && longer.length <= LONGEST) packed[packed.length - 1] = longer
    else packed.push(payload)
  }
  return packed
}

const USERS = ['constructor', '0', 'null', 'A.b_c@d-e', 'x'.repeat(60), '1e309']

/** WordPress keeps a title with its signs as entities, as if a person had typed it into its own form. */
const KNOWS = `$user = get_users(['role' => 'administrator'])[0];
  echo json_encode([wp_specialchars_decode(get_option('blogname'), ENT_QUOTES), $user->user_login, $user->user_email, count_users()['total_users']]);`

describe('what attackers name a site', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const made = titles()
    .slice(0, SOAK ? undefined : SOME)
    .map((title, index) => ({
      slug: `s${index}`,
      title,
      adminUser: USERS[index] ?? 'ada',
      adminEmail: `a%b+c_${index}@ex-ample.com`,
    }))
  const shell = async (text: string) => (await server.exec(['bash', '-c', text])).stdout
  const wp = async (slug: string, code: string) => {
    const words = ['docker', 'exec', `fleetpress-site-${slug}`, 'wp', 'eval', code]
    const { stdout, stderr } = await server.exec(words)
    assert.equal(stderr, '', slug)
    return JSON.parse(stdout) as unknown
  }

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    for (const site of made) {
      const body = { ...site, domainMode: 'dev' as const, serverId: house.ids[0] }
      await house.succeeded((await house.panel.as('full').siteCreate({ body })).job.id)
    }
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('is what WordPress calls itself and its first account, sign for sign', async t => {
    t.diagnostic(`${made.length} sites`)
    for (const { slug, title, adminUser, adminEmail } of made)
      assert.deepEqual(await wp(slug, KNOWS), [title, adminUser, adminEmail, 1])
  })

  it('is text on the page, and nothing that a browser runs', async () => {
    for (const { slug, title } of made) {
      const page = await shell(`curl -s -H 'Host: ${slug}.vps1.localhost' http://127.0.0.1/`)
      assert.match(page, /<title>/, title)
      assert.doesNotMatch(page, /<img src=x|<svg\/onload/)
    }
  })

  it('changes nothing in the configuration of the edge', async () => {
    const [first, ...others] = await Promise.all(
      made.map(async ({ slug }, index) => {
        const text = await shell(`cat /srv/fleetpress/edge/current/sites/${slug}.conf`)
        return text
          .replaceAll(siteNetwork(slug, index).address, 'ADDRESS')
          .replaceAll(new RegExp(`\\b${slug}\\b|_${slug}\\b`, 'g'), 'NAME')
      }),
    )
    for (const other of others) assert.equal(other, first)
    assert.match(first ?? '', /proxy_pass/)
  })

  it('stays harmless through the rest of the life of the site, and leaves nothing behind', async () => {
    const [{ slug } = { slug: '' }, ...rest] = made
    const api = house.panel.as('full')
    const title = `$(touch /tmp/CANARY)'"\`;--`
    await api.siteUpdate({ params: { slug }, body: { title, notes: `${title}\n${title}`, labels: ['constructor'] } })
    for (const act of [api.siteRestart, api.siteReconcile, api.siteStop, api.siteStart])
      await house.succeeded((await act({ params: { slug } })).job.id)
    await house.succeeded((await api.sitePhp({ params: { slug }, body: { version: '8.2' } })).job.id)
    for (const each of [slug, ...rest.map(site => site.slug)])
      await house.succeeded((await api.siteDelete({ params: { slug: each }, query: {} })).job.id)
    assert.deepEqual(await lookAtSites(server), [])
    assert.equal(await shell(`find / -xdev -name '*CANARY*' -not -path '/proc/*'`), '')
    assert.ok(!existsSync('CANARY'))
  })
})
