import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { sealDatabasePassword } from '#features/sites/site-database.ts'
import { insertSite } from '#features/sites/site-store.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { knownGood } from './known-good.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

for (const engineName of ENGINES)
  describe(`what is known of the files of a site, on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let mirror: Mirror
    before(async () => {
      panel = await testPanel({ engineName })
      mirror = await startMirror()
      const directory = serveDirectory(mirror)
      directory.publish({ kind: 'plugin', slug: 'shop', version: '1.1', files: { 'shop.php': '<?php' } })
      const files = { 'style.css': 'Version: 2.0', 'parts/head.php': '<?php' }
      directory.publish({ kind: 'theme', slug: 'plain', version: '2.0', files })
      directory.publish({ kind: 'theme', slug: 'odd', version: '1', files: { '../x.php': 'x' } })
      const wordpressOrg = { apiUrl: mirror.api, downloadsUrl: mirror.downloads }
      await panel.as('full').settingsUpdate({ body: { wordpressOrg } })
    })
    after(async () => {
      mirror.close()
      await panel.stop()
    })

    it('is what was published: plugins by their checksums, themes by their packages', async () => {
      const scope = panel.world.scope(systemActor('test'))
      const sealed = sealDatabasePassword(scope, 'bakery', 'secret')
      const site = { ...siteRow('bakery'), status: 'stopped' as const, sealed_database_password: sealed }
      await insertSite(scope.db, site, ['bakery.localhost'])
      const install = (kind: 'plugin' | 'theme', file: string, version: string) =>
        scope.db
          .insertInto('wordpress_item')
          .values({
            site_slug: 'bakery',
            kind,
            file,
            name: file,
            title: file,
            version,
            status: 'active',
            auto_update: 0,
            update_version: null,
            update_requires_php: null,
            update_requires_wordpress: null,
          })
          .execute()
      await install('plugin', 'shop/shop.php', '1.1')
      await install('plugin', 'own/own.php', '1')
      for (const [name, version] of [
        ['plain', '2.0'],
        ['own', '1'],
        ['odd', '1'],
        ['hostile', '../../1'],
      ] as const)
        await install('theme', `${name}/style.css`, version)
      const work = { ...scope, signal: new AbortController().signal } as unknown as StepScope
      const { trees } = await knownGood(work, site)
      assert.deepEqual(
        trees.filter(({ kind }) => kind !== 'core'),
        [
          {
            kind: 'plugin',
            slug: 'shop',
            version: '1.1',
            prefix: 'wp-content/plugins/shop/',
            closed: [''],
            sums: { 'shop.php': [sha256('<?php')] },
            loose: '',
          },
          {
            kind: 'theme',
            slug: 'plain',
            version: '2.0',
            prefix: 'wp-content/themes/plain/',
            closed: [''],
            sums: { 'style.css': [sha256('Version: 2.0')], 'parts/head.php': [sha256('<?php')] },
            loose: '',
          },
        ],
      )
    })
  })
