import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { MariadbError } from '#drivers/mariadb/connection.ts'
import { withDatabase } from '#features/stack/index.ts'
import { type WarmServer, warmServer } from '#test/support/warm-server.ts'

const TITLE = `It's "Ada" & <b> &amp; 5 > 4`
const OFFLINE = `WP_CLI::add_wp_hook("pre_http_request", function () { return new WP_Error("offline"); });`
const LOCK = '_transient_doing_cron'

/** What is salted, or a matter of the moment, is the same everywhere; planned work is sorted by its name. */
const withoutChance = (line: string): string =>
  line
    .replace(/\$wp\$2y\$\d\d\$[./A-Za-z0-9]{53}/g, 'PASSWORD')
    .replace(/[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\b1[789]\d{8}\b/g, 'SECOND')
    .replace(/ AUTO_INCREMENT=\d+/, '')
    .replace(/(INTO `wp_options` .* VALUES \()\d+/, '$1ID')
    .replace(/'cron','.*'/, text => [...text.matchAll(/[a-z_]{8,}(?=\\";a:1)/g)].map(String).toSorted().join())

describe('a WordPress from a prepared database', { timeout: 15 * 60_000 }, () => {
  let house: WarmServer
  before(async () => {
    house = await warmServer()
  })
  after(() => house?.[Symbol.asyncDispose]())

  const wp = (slug: string, words: string) => house.shell(`docker exec fleetpress-site-${slug} wp ${words}`)

  /** Every table as it was made, and every row. */
  const stateOf = async (slug: string): Promise<string[]> => {
    const dump = await wp(
      slug,
      'db export - --skip-extended-insert --complete-insert --skip-comments --order-by-primary',
    )
    const isOfWordpress = (line: string) => !/^(?:$|\/\*|--)/.test(line) && !line.includes(LOCK)
    return dump.split('\n').filter(isOfWordpress).map(withoutChance).toSorted()
  }

  /** WordPress writes some more when it is first visited, as the panel does at the end of a creation. */
  const visit = (hostname: string) =>
    house.shell(`exec 3<> /dev/tcp/127.0.0.1/80
      printf 'GET / HTTP/1.1\\r\\nHost: ${hostname}\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3 > /dev/null`)

  const create = async (slug: string, locale: string) => {
    const { job } = await house.panel.as('manage').siteCreate({
      body: {
        title: TITLE,
        slug,
        domainMode: 'dev',
        adminUser: 'Ada.L',
        adminEmail: 'ada@example.com',
        serverId: house.serverId,
        locale,
      },
    })
    return house.succeeded(job.id)
  }

  for (const locale of ['en_US', 'de_DE']) {
    it(`equals what WordPress installs by itself (${locale})`, async () => {
      // The second one of a language is made from what was prepared with the first.
      if (locale !== 'en_US') await create('other', locale)
      const slug = `same-${locale.slice(0, 2)}`
      await create(slug, locale)
      const ours = await stateOf(slug)
      const title = TITLE.replaceAll(`'`, `'\\''`)
      await wp(slug, 'db reset --yes')
      await wp(
        slug,
        `core install --url=http://${slug}.vps1.localhost --title='${title}' --admin_user=Ada.L --admin_email=ada@example.com \
          --admin_password=secret --skip-email --locale=${locale} --exec='${OFFLINE}'`,
      )
      await wp(slug, `rewrite structure '/%postname%/' --exec='${OFFLINE}'`)
      await visit(`${slug}.vps1.localhost`)
      assert.deepEqual(ours, await stateOf(slug))
      assert.equal((await wp(slug, 'option get WPLANG || true')).trim(), locale === 'en_US' ? '' : locale)
    })
  }

  it('is refused in a language that is not available, and nothing stays of it', async () => {
    const { job } = await house.panel.as('manage').siteCreate({
      body: {
        title: 'X',
        slug: 'nowhere',
        domainMode: 'dev',
        adminUser: 'ada',
        adminEmail: 'a@example.com',
        serverId: house.serverId,
        locale: 'xx_XX',
      },
    })
    await assert.rejects(house.succeeded(job.id), /is not available in xx_XX/)
    await assert.rejects(house.panel.as('manage').siteGet({ params: { slug: 'nowhere' } }), /no site/)
  })

  it('leaves no version on the server that no new site gets', async () => {
    await house.shell('mkdir /srv/fleetpress/core/5.0-en_US; touch -d "2 hours ago" /srv/fleetpress/core/*')
    await create('newer', 'en_US')
    await house.shell(`timeout 60 bash -c 'until ls -d /srv/fleetpress/core/*-en_US.spare; do sleep 0.1; done'`)
    const kept = await house.shell('ls /srv/fleetpress/core')
    assert.doesNotMatch(kept, /^5\.0-/m)
    assert.match(kept, /-en_US$/m)
    assert.match(kept, /-de_DE$/m)
  })

  it('does nothing twice because a statement was refused', async () => {
    const scope = house.panel.world.scope(systemActor('test'))
    let times = 0
    const work = withDatabase(scope, house.serverId, async () => {
      times += 1
      throw new MariadbError('ER_ACCESS_DENIED_ERROR', 'refused')
    })
    await assert.rejects(work, /refused/)
    assert.equal(times, 1)
  })
})
