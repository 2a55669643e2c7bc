import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { plugin } from '#test/support/breaking-plugins.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { ask } from '#test/support/move/visitors.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { askMirror, type Published, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import type { Finding } from './contract.ts'
import { wpReinstall } from './findings/wp.reinstall.ts'
import { siteMalwareScan } from './scan/site.malware-scan.ts'

const SLUG = 'shop'
const params = { slug: SLUG }
const AROUND = `/srv/fleetpress/sites/${SLUG}`
const HTML = `${AROUND}/html`
const SHELL = 'wp-content/uploads/2026/cache.php'
const JOB_MS = 10 * 60_000

const THEME = {
  kind: 'theme',
  slug: 'fleet-plain',
  version: '2.0',
  files: { 'style.css': '/*\nTheme Name: Plain\nVersion: 2.0\n*/', 'functions.php': '<?php // Nothing.' },
} as const satisfies Published
const THEME_FOLDER = `wp-content/themes/${THEME.slug}`
const ADD_THEME = `set -e
cd ${HTML} && mkdir ${THEME_FOLDER}
printf '%s' "$0" > ${THEME_FOLDER}/style.css && printf '%s' "$1" > ${THEME_FOLDER}/functions.php
chown -R --reference=. ${THEME_FOLDER}`

/** What an attacker leaves, and what is only odd. */
const INFECT = `set -e
cd ${HTML} && mkdir -p wp-content/uploads/2026 'wp-content/uploads/a b'
printf '<?php @eval(base64_decode($_POST["x"]));' > ${SHELL}
printf '<?php system($_GET[1]);' > "$(printf 'wp-content/uploads/a b/\\377\\n.php')"
printf 'GIF89a<?php eval($_REQUEST[0]);' > wp-content/uploads/2026/dot.gif
printf '<?php function extra() { return 1; }' > wp-includes/class-wp-extra.php
printf '\\n// changed\\n' >> wp-includes/formatting.php
printf '\\n// changed\\n' >> wp-content/plugins/good/good.php
printf '\\n// changed\\n' >> ${THEME_FOLDER}/functions.php
sed -i "1a define('WP_CACHE', true);" wp-config.php
mkfifo wp-content/uploads/pipe.php; ln -s /etc/passwd wp-content/uploads/link.php
printf '<?php eval($_POST[1]);' > closed.php && chmod 000 closed.php
truncate -s 3G wp-content/uploads/huge.php && printf '<?php eval($_POST[1]);' >> wp-content/uploads/huge.php
chown -hR --reference=. wp-content/uploads wp-includes/class-wp-extra.php closed.php
chmod 640 ${SHELL}; touch -d '2020-01-02 03:04:05' ${SHELL}`

describe('malware scans, on a real server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let mirror: Mirror
  let server: Vps
  const api = () => house.panel.as('manage')
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, stderr)
    return stdout.trim()
  }
  const scan = async () => {
    await house.succeeded((await api().siteScanStart({ params })).job.id)
    return (await api().siteScanGet({ params })).scan.lastScan ?? assert.fail()
  }
  const open = async () => (await api().findingList({ params, query: {} })).items
  const named = async (path: string, kind?: Finding['kind']) => {
    const found = (await open()).find(each => each.path === path && (kind === undefined || each.kind === kind))
    assert.ok(found, `${path}: ${JSON.stringify(await open(), null, 1)}`)
    return { slug: SLUG, id: found.id }
  }

  before(async () => {
    mirror = await startMirror('0.0.0.0')
    const directory = serveDirectory(mirror)
    directory.publish(plugin('good', '1.0'))
    directory.publish(THEME)
    house = await siteHouse(1, { extraJobs: [...variantsOf(siteMalwareScan), ...variantsOf(wpReinstall)] })
    server = house.servers[0] ?? assert.fail()
    const [kept] = await listKept(`${house.panel.config.dataDir}/cache`)
    directory.offerCore(kept?.version ?? assert.fail())
    await askMirror(house.panel, server, mirror)
    await house.create(SLUG)
    const source = { kind: 'wporg' as const, slug: 'good' }
    await house.succeeded((await api().wpPluginInstall({ params, body: { source, activate: true } })).job.id)
    const files = [THEME.files['style.css'], THEME.files['functions.php']]
    assert.equal((await server.exec(['bash', '-c', ADD_THEME, ...files])).exitCode, 0)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    mirror?.close()
  })

  it('find nothing in a new site, and read nothing again that has not changed', async t => {
    const first = await scan()
    t.diagnostic(JSON.stringify(first))
    assert.deepEqual([await open(), first.isComplete, first.leftOut, first.notes], [[], true, [], []])
    assert.ok(
      first.files > 3000 && first.files - first.knownGood < 5 && first.filesRead === first.files,
      JSON.stringify(first),
    )
    const second = await scan()
    assert.ok(second.filesRead < 20 && second.unchanged > 3000, JSON.stringify(second))
  })

  it('find what does not belong there, and say what they left out', async t => {
    await shell(INFECT)
    const done = await scan()
    const items = await open()
    t.diagnostic(JSON.stringify(items.map(({ path, rule, severity, line }) => [path, rule, severity, line])))
    const seen = items.map(({ path, kind, severity }) => `${path} ${kind} ${severity}`)
    for (const expected of [
      `${SHELL} malware confirmed`,
      'wp-content/uploads/a b/\\xff\\x0a.php malware confirmed',
      'wp-content/uploads/2026/dot.gif malware confirmed',
      'wp-content/uploads/huge.php malware confirmed',
      'wp-includes/class-wp-extra.php unknown suspicious',
      'wp-includes/formatting.php changed suspicious',
      'wp-content/plugins/good/good.php changed suspicious',
      `${THEME_FOLDER}/functions.php changed suspicious`,
      'wp-config.php panel notice',
    ])
      assert.ok(seen.includes(expected), `${expected} is not in\n${seen.join('\n')}`)
    assert.deepEqual(
      items.filter(({ path }) => /link|pipe|closed|load\.php/.test(path)),
      [],
    )
    assert.ok(done.leftOut.some(({ example }) => example === 'closed.php'))
    assert.ok(done.leftOut.some(({ reason }) => /only their ends/.test(reason)))
    assert.ok(done.filesRead < 30, 'all other files were known')
    const planted = items.find(({ path }) => path === SHELL)
    assert.match(planted?.excerpt ?? '', /@eval\(base64_decode\(\$_POST/)
    const { items: asReader } = await house.panel.as('read-only').findingList({ params, query: { status: 'all' } })
    assert.ok(asReader.length === items.length && asReader.every(({ excerpt }) => excerpt === null))
    const { attention } = await house.panel.as('read-only').overview()
    assert.equal(attention.find(({ id }) => id === `malware:${SLUG}`)?.title, `Site ${SLUG} has malware`)
  })

  it('move a file out of the site and back as it was', async () => {
    const look = `stat -c '%a %u %g %Y %s' ${HTML}/${SHELL} && sha256sum < ${HTML}/${SHELL}`
    const before = await shell(look)
    const item = await api().findingQuarantine({ params: await named(SHELL) })
    assert.deepEqual([item.mode, item.status, item.modifiedAt], ['0640', 'kept', Date.parse('2020-01-02T03:04:05Z')])
    assert.equal(await shell(`ls ${HTML}/${SHELL} 2>/dev/null || ls ${AROUND}/quarantine`), item.id)
    assert.equal(
      (await api().findingList({ params, query: { status: 'quarantined' } })).items[0]?.quarantineId,
      item.id,
    )
    await shell(`rm -r ${HTML}/wp-content/uploads/2026`)
    const id = { params: { slug: SLUG, id: item.id } }
    assert.equal((await api().quarantineRestore(id)).status, 'restored')
    assert.equal(await shell(look), before)
    assert.equal(await shell(`stat -c %u ${HTML}/wp-content/uploads/2026`), await shell(`stat -c %u ${HTML}`))
    await assert.rejects(api().quarantineRestore(id), { code: 'conflict' })
    await scan()
    const { items } = await api().findingList({ params, query: { status: 'ignored' } })
    assert.deepEqual(
      items.map(({ path }) => path),
      [SHELL],
      'what was restored stays ignored',
    )
    await api().findingUnignore({ params: { slug: SLUG, id: items[0]?.id ?? '' } })
  })

  it('move confirmed malware out by themselves where a site wants that, whatever it is called', async () => {
    await api().siteScanSettings({ params, body: { onFinding: 'quarantine-confirmed' } })
    const { quarantined } = await scan()
    assert.equal(quarantined, 3)
    assert.equal(await shell(`cd ${HTML}/wp-content/uploads && find . -type f`), '')
    const { items } = await api().quarantineList({ params })
    const kept = items.filter(({ status }) => status === 'kept')
    assert.equal(kept.length, 3)
    for (const { id } of kept) await api().quarantineDelete({ params: { slug: SLUG, id } })
    assert.equal(await shell(`ls ${AROUND}/quarantine`), '')
  })

  it('reinstall WordPress, plugins and themes, and restore what the panel wrote', async () => {
    const config = await shell(`grep _KEY ${HTML}/wp-config.php`)
    const changed = ['wp-includes/formatting.php', 'wp-content/plugins/good/good.php', `${THEME_FOLDER}/functions.php`]
    for (const path of changed) {
      await house.succeeded((await api().findingReinstall({ params: await named(path) })).job.id)
      assert.doesNotMatch(await shell(`cat ${HTML}/${path}`), /\/\/ changed/)
    }
    assert.equal(
      await shell(`ls ${HTML}/wp-includes/class-wp-extra.php 2>/dev/null || ls -A ${HTML} | grep aside || echo none`),
      'none',
    )
    await house.succeeded((await api().findingPutBack({ params: await named('wp-config.php', 'panel') })).job.id)
    assert.doesNotMatch(await shell(`cat ${HTML}/wp-config.php`), /WP_CACHE/)
    assert.equal(await shell(`grep _KEY ${HTML}/wp-config.php`), config)
    await shell(`cd ${HTML} && rm -f closed.php wp-content/uploads/pipe.php wp-content/uploads/link.php`)
    assert.deepEqual([(await scan()).found, await open()], [0, []])
    const page = await ask({ address: server.address, hostname: `${SLUG}.${server.name}.localhost`, path: '/' })
    assert.equal(page.status, 200)
  })

  it('name files that came since a clean scan', async () => {
    await shell(`cd ${HTML} && printf '<?php function mine() {}' > tool.php && chown --reference=. tool.php`)
    await scan()
    const [only, ...others] = await open()
    assert.deepEqual([only?.path, only?.kind, only?.severity, others], ['tool.php', 'new', 'notice', []])
    await shell(`rm ${HTML}/tool.php`)
  })

  const look = async () => ({
    files: await shell(
      `cd ${HTML} && find . -not -path './wp-content/uploads*' -type f | sort | xargs -d '\\n' sha256sum | sha256sum`,
    ),
    found: (await open()).map(({ path, kind }) => [path, kind]),
    containers: await shell('docker ps -a --format "{{.Names}}" | grep fleetpress-scan || true'),
  })

  it('site.malwareScan: the same whether a panel dies in it or not', () =>
    exerciseJob('sqlite', siteMalwareScan, {
      panel: house.panel,
      limitMs: JOB_MS,
      ...(SOAK ? {} : { failAt: [] }),
      look,
      prepare: async () => ({ slug: SLUG, serverId: house.ids[0] ?? 0, putBack: null }),
    }))

  it('wp.reinstall: the files as published, or as before', () =>
    exerciseJob('sqlite', wpReinstall, {
      panel: house.panel,
      limitMs: JOB_MS,
      ...(SOAK ? {} : { failAt: ['replace'] }),
      look,
      prepare: async () => {
        await shell(`printf '\\n// changed\\n' >> ${HTML}/wp-content/plugins/good/good.php`)
        await scan()
        return { slug: SLUG, serverId: house.ids[0] ?? 0, kind: 'plugin' as const, item: 'good', version: '1.0' }
      },
    }))
})
