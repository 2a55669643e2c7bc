import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Problem } from '#platform/contract/problem.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { type WarmServer, warmServer } from '#test/support/warm-server.ts'
import type { WordpressItem } from './contract.ts'

const SLUG = 'first'
const HTML = '/var/www/html'

interface Listed {
  name: string
  status: string
  version: string
  update_version: string
  auto_update: string
}

/** Updates as wordpress.org would offer them, and one as premium plugins do: only when someone reads the list. */
const OFFERS = `<?php
$plugins = (object) ['last_checked' => time(), 'response' => ['shop/shop.php' => (object) ['new_version' => '1.1', 'requires_php' => '8.0']]];
set_site_transient('update_plugins', $plugins);
set_site_transient('update_themes', (object) ['last_checked' => time(), 'response' => ['child' => ['new_version' => '3.0']]]);
set_site_transient('update_core', (object) ['last_checked' => time(), 'version_checked' => $GLOBALS['wp_version'], 'updates' => [(object) ['response' => 'upgrade', 'current' => '99.1', 'version' => '99.1', 'locale' => 'en_US']]]);
`
const PREMIUM = `<?php
/* Plugin Name: Premium
 * Version: 4.0 */
add_filter('site_transient_update_plugins', function ($known) {
  if (is_object($known)) $known->response['premium.php'] = (object) ['new_version' => '5.0'];
  return $known;
});
add_action('init', function () { echo 'noise'; ob_start(); echo 'more noise'; });
add_action('shutdown', fn () => print('late noise'));
`

describe('what a site has installed', { timeout: 20 * 60_000 }, () => {
  let house: WarmServer
  const params = { slug: SLUG }
  const api = () => house.panel.as('manage')
  const inSite = (script: string) => house.shell(`docker exec -i fleetpress-site-${SLUG} sh -euc '${script}'`)
  const put = async (path: string, text: string) => {
    const [server] = house.servers
    const words = ['docker', 'exec', '-i', `fleetpress-site-${SLUG}`, 'sh', '-c', 'mkdir -p "${1%/*}"; cat > "$1"', '-']
    const ended = await server?.exec([...words, `${HTML}/${path}`], { input: text })
    assert.equal(ended?.exitCode, 0, ended?.stderr)
  }
  const listed = async (kind: string): Promise<Listed[]> => {
    const fields = '--fields=name,status,version,update_version,auto_update'
    const printed = await inSite(`wp ${kind} list --skip-update-check --format=json ${fields}`)
    // What plugins print stands around it.
    return JSON.parse(/\[.*\]/s.exec(printed)?.[0] ?? '') as Listed[]
  }
  const asWp = ({ name, status, version, update, autoUpdate }: WordpressItem): Listed => ({
    name,
    status,
    version,
    update_version: update?.version ?? '',
    auto_update: autoUpdate ? 'on' : 'off',
  })
  const byName = (a: Listed, b: Listed) => (a.name < b.name ? -1 : 1)
  const sorted = (items: Listed[]) =>
    items
      .map(({ name, status, version, update_version, auto_update }) => ({
        name,
        status,
        version,
        update_version,
        auto_update,
      }))
      .toSorted(byName)

  before(async () => {
    house = await warmServer()
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('is known as soon as the site is created', async () => {
    const status = await house.panel.as('read-only').wpStatus({ params })
    assert.equal(status.core?.version, (await inSite('wp core version')).trim())
    assert.ok(status.scannedAt !== null && status.themes.some(theme => theme.status === 'active'))
    assert.deepEqual([status.counts.users, status.broken], [1, false])
  })

  it('is what WP-CLI says, updates of every kind included', async () => {
    await put('wp-content/plugins/shop/shop.php', '<?php\n/* Plugin Name: Shop\n * Version: 1.0 */\n')
    await put('wp-content/plugins/premium.php', PREMIUM)
    await put(
      'wp-content/themes/child/style.css',
      '/*\nTheme Name: Child\nVersion: 2.0\nTemplate: twentytwentyfive\n*/',
    )
    await put('offers.php', OFFERS)
    await inSite('wp plugin activate premium > /dev/null; wp plugin auto-updates enable shop > /dev/null')
    await inSite('wp theme activate child > /dev/null; wp eval-file offers.php > /dev/null; rm offers.php')
    const { items } = await api().wpPlugins({ params })
    assert.deepEqual(sorted(items.map(asWp)), sorted(await listed('plugin')))
    assert.equal(items.find(({ name }) => name === 'premium')?.update?.version, '5.0')
    const themes = (await api().wpThemes({ params })).items
    assert.deepEqual(sorted(themes.map(asWp)), sorted(await listed('theme')))
    assert.equal((await api().wpStatus({ params })).plugins.length, 1, 'a list that was only looked at is not kept')
  })

  it('is kept by a sync, also when WordPress cannot reach wordpress.org', async () => {
    const before = Date.now()
    const status = await api().wpSync({ params })
    assert.deepEqual(status.core?.update, { version: '99.1', minor: null })
    assert.ok((status.scannedAt ?? 0) >= before)
    assert.deepEqual(
      status.plugins.filter(({ update }) => update).map(({ name, update }) => [name, update?.version]),
      [
        ['premium', '5.0'],
        ['shop', '1.1'],
      ],
    )
    assert.deepEqual(await api().wpStatus({ params }), status)
  })

  it('is told without the plugins when one of them is broken, and in maintenance mode', async () => {
    await put(
      'wp-content/plugins/shop/shop.php',
      '<?php\n/* Plugin Name: Shop\n * Version: 1.2 */\nnowhere_to_be_found();',
    )
    await inSite('wp plugin activate shop --skip-plugins > /dev/null 2>&1 || true')
    await inSite(
      `wp option update active_plugins --format=json "[\\"premium.php\\",\\"shop/shop.php\\"]" --skip-plugins > /dev/null`,
    )
    const status = await api().wpSync({ params })
    assert.equal(status.broken, true)
    assert.match(status.problem ?? '', /nowhere_to_be_found/)
    assert.equal(status.plugins.find(({ name }) => name === 'shop')?.version, '1.2')
    await inSite('rm -r wp-content/plugins/shop')
    await put('.maintenance', '<?php $upgrading = time();')
    assert.equal((await api().wpSync({ params })).broken, false)
    await inSite('rm .maintenance')
  })

  it('names whatever a site says, without doing it', async () => {
    const odd = PAYLOADS.filter(text => !text.includes('*/')).slice(0, 40)
    const headers = odd.map((text, at) => [`odd-${at}`, text] as const)
    for (const [name, text] of headers)
      await put(`wp-content/plugins/${name}/${name}.php`, `<?php\n/* Plugin Name: ${text}\n * Version: ${text}\n */\n`)
    const { items } = await api().wpPlugins({ params })
    for (const { title, version } of items) {
      assert.ok(title.length <= 200 && version.length <= 60)
      assert.doesNotMatch(title + version, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    assert.ok(items.filter(({ name }) => name.startsWith('odd-')).length > odd.length / 2)
    await inSite('rm -r wp-content/plugins/odd-*')
  })

  it('is refused as an answer when something else answers in place of the script', async () => {
    await put(
      'wp-content/mu-plugins/liar.php',
      '<?php echo $_SERVER["FLEETPRESS_MARK"] ?? "", \'{"plugins": "all"}\', $_SERVER["FLEETPRESS_MARK"] ?? ""; while (@ob_end_flush()); fastcgi_finish_request(); exit;',
    )
    const status = await api().wpSync({ params })
    assert.equal(status.broken, true)
    await put('wp-config.php.part', '<?php die("gone");')
    await inSite('mv wp-config.php keep.php; mv wp-config.php.part wp-config.php; sleep 3')
    // OPcache looks at a file again after two seconds.
    await assert.rejects(
      api().wpSync({ params }),
      (error: unknown) => error instanceof Problem && error.code === 'conflict',
    )
    await inSite('mv keep.php wp-config.php; rm wp-content/mu-plugins/liar.php; sleep 3')
  })

  it('includes its accounts, for those who manage it', async () => {
    await inSite('wp user create eve eve@example.com --role=editor > /dev/null')
    const { items, total } = await api().wpUsers({ params, query: { q: 'eve' } })
    assert.deepEqual([total, items.map(({ login, roles }) => [login, roles])], [1, [['eve', ['editor']]]])
    assert.equal((await api().wpUsers({ params, query: { limit: 1 } })).total, 2)
    await assert.rejects(house.panel.as('read-only').wpUsers({ params, query: {} }), /Manage/)
  })
})
