import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { type Finding, readSiteHealth, serveUpdateChecks, testPlugin } from '#test/support/site-health.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'

const VERSIONS = ['8.4', '8.2', '7.4'] as const
type Php = (typeof VERSIONS)[number]
const LIVE = 'shop.example.com'
const DOCS = new URL('../../../../docs/site-health.md', import.meta.url)
/** What is left on a dev name; docs/site-health.md explains each. */
const RECOMMENDED = ['https_status', 'page_cache']
/** WordPress finds these two too old. */
const OLD_PHP: Partial<Record<Php, Finding['status']>> = { '8.2': 'recommended', '7.4': 'critical' }
const RELEASE = `cd /srv/fleetpress/core/*-en_US && find . -type f -not -path './wp-content/*' -exec md5sum {} +`

const slugOf = (php: Php) => `php${php.replace('.', '')}`
const byStatus = (found: readonly Finding[], status: Finding['status']) =>
  found.filter(finding => finding.status === status).map(({ test, label }) => `${test}: ${label}`)

/** Requests its own address, certificate included; prints the status and where it was connected to. */
const OWN_ADDRESS = `$ask = curl_init($argv[1]);
curl_setopt_array($ask, [CURLOPT_RETURNTRANSFER => true, CURLOPT_CAINFO => '/var/www/html/test-ca.pem',
  CURLOPT_USERAGENT => $argv[2], CURLOPT_TIMEOUT => 20]);
curl_exec($ask);
echo curl_getinfo($ask, CURLINFO_RESPONSE_CODE), ' ', curl_getinfo($ask, CURLINFO_PRIMARY_IP), ' ', curl_error($ask);`

describe('a new WordPress finds itself healthy', { timeout: 30 * 60_000 }, () => {
  let pebble: Pebble
  let mirror: Mirror
  let house: SiteHouse
  let server: Vps
  const people = new Map<string, WordpressPerson>()
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }
  const wp = (slug: string, words: string) => shell(`docker exec fleetpress-site-${slug} wp ${words}`)
  const api = () => house.panel.as('full')
  const signedIn = async (url: string, password: string) => {
    const person = new WordpressPerson(server.address, url, await pebble.rootPem())
    assert.equal((await person.signIn('ada', password)).status, 302)
    return person
  }
  const put = (slug: string, path: string, text: string) =>
    server.exec(['docker', 'exec', '-i', `fleetpress-site-${slug}`, 'tee', `/var/www/html/${path}`], { input: text })
  const passwords = new Map<string, string>()

  const readChecksums = async () => {
    const lines = (await shell(RELEASE)).trim().split('\n')
    return Object.fromEntries(lines.map(line => [line.slice(36), line.slice(0, 32)]))
  }

  /** A site that has the internet, as the mirror gives it. */
  const create = async (php: Php) => {
    const slug = slugOf(php)
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com', serverId: house.ids[0] ?? 0 }
    const { job } = await api().siteCreate({
      body: { title: slug, slug, domainMode: 'dev', phpVersion: php, ...account },
    })
    const { url, adminPassword } = (await house.succeeded(job.id)) as { url: string; adminPassword: string }
    const machine = server.address.replace(/\d+$/, '1')
    await put(slug, 'wp-content/mu-plugins/test.php', testPlugin(`http://${machine}:${mirror.port}`))
    passwords.set(slug, adminPassword)
    people.set(slug, await signedIn(url, adminPassword))
    serveUpdateChecks(mirror, { version: (await wp(slug, 'core version')).trim(), checksums: await readChecksums() })
    await wp(slug, `eval 'wp_version_check([], true); wp_update_plugins(); wp_update_themes();'`)
  }

  before(async () => {
    pebble = await startPebble({ httpPort: 80 })
    mirror = await startMirror('0.0.0.0')
    house = await siteHouse(1, { env: { DNS_SERVERS: pebble.nameServer } })
    server = house.servers[0] ?? assert.fail()
    await pebble.leadTo(server.address)
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    for (const php of VERSIONS) await create(php)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    mirror?.close()
    await pebble?.stop()
  })

  for (const php of VERSIONS)
    it(`on PHP ${php}, apart from what the docs explain`, async () => {
      const found = await readSiteHealth(people.get(slugOf(php)) ?? assert.fail())
      assert.ok(found.length > 20, JSON.stringify(found))
      const isExpected = ({ test, status }: Finding) =>
        status === 'good' ||
        (test === 'php_version' && status === OLD_PHP[php]) ||
        (RECOMMENDED.includes(test) && status === 'recommended')
      assert.deepEqual(
        found.filter(finding => !isExpected(finding)),
        [],
      )
      for (const test of ['rest_availability', 'loopback_requests', 'scheduled_events', 'background_updates'])
        assert.equal(found.find(finding => finding.test === test)?.status, 'good', test)
    })

  it('and the docs explain the rest', async () => {
    const docs = await readFile(DOCS, 'utf8')
    for (const test of [...RECOMMENDED, 'php_version']) assert.match(docs, new RegExp(`\`${test}\``))
  })

  it('reaches its dev name and its live name through the edge, before DNS points there', async () => {
    const slug = slugOf('8.4')
    const own = async (url: string) => {
      const agent = `probe-${Math.random()}`
      const script = `docker exec fleetpress-site-${slug} php -r '${OWN_ADDRESS.replaceAll("'", `'\\''`)}' ${url} ${agent}`
      const answer = (await shell(script)).trim()
      await shell(
        `for i in $(seq 30); do grep -q ${agent} /srv/fleetpress/edge/logs/access.json && exit 0; sleep 0.2; done; exit 1`,
      )
      return answer
    }
    const idOf = () => shell(`docker inspect -f '{{.Id}}' fleetpress-site-${slug}`)
    const before = await idOf()
    const dev = `${slug}.vps1.localhost`
    assert.equal(await own(`http://${dev}/`), '200 127.0.0.1')
    const done = await api().siteGoLive({ params: { slug }, body: { domains: [LIVE], keepDevAlias: true } })
    await house.succeeded(done.job.id)
    await put(slug, 'test-ca.pem', await pebble.rootPem())
    await assert.rejects(shell(`getent hosts ${LIVE}`))
    assert.equal(await own(`https://${LIVE}/`), '200 10.213.0.1')
    assert.equal(await own(`http://${dev}/`), '301 127.0.0.1')
    assert.equal(await idOf(), before)
  })

  it('and is as healthy on a live name, with HTTPS', async () => {
    const slug = slugOf('8.4')
    const trust = `<?php add_filter('http_request_args', function ($args) {
      return ['sslcertificates' => '/var/www/html/test-ca.pem'] + $args; });`
    await put(slug, 'wp-content/mu-plugins/trust.php', trust)
    const found = await readSiteHealth(await signedIn(`https://${LIVE}`, passwords.get(slug) ?? ''))
    assert.deepEqual(byStatus(found, 'critical'), [])
    assert.deepEqual(
      found.filter(({ status }) => status === 'recommended').map(({ test }) => test),
      ['page_cache'],
    )
  })
})
