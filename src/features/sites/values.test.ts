import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '#platform/host/secret.ts'
import { siteRow } from '#test/support/site-row.ts'
import { siteContainer } from './container.ts'
import { NETWORKS, siteNetwork } from './network.ts'
import { databaseNameOf } from './site-database.ts'
import { phpString, wpConfig } from './wordpress/wp-config.ts'

const row = { ...siteRow('my-shop', 33), title: 'My shop', server_id: 2 }

describe('the network of a site', () => {
  it('is eight addresses of the pool, its own for each number', () => {
    assert.deepEqual(siteNetwork('my-shop', 33), {
      name: 'fleetpress-site-my-shop',
      subnet: '10.213.1.8/29',
      gateway: '10.213.1.9',
      address: '10.213.1.10',
    })
    const subnets = Array.from({ length: NETWORKS }, (_, index) => siteNetwork('a', index).subnet)
    assert.equal(new Set(subnets).size, NETWORKS)
    assert.equal(subnets.at(-1), '10.213.255.240/29')
    assert.throws(() => siteNetwork('a', NETWORKS))
  })
})

describe('the container of a site', () => {
  it('follows from the site and the policy alone', () => {
    const limits = { cpus: 1, memoryBytes: 1, pids: 1 }
    const spec = siteContainer(row, 'image', limits)
    assert.deepEqual(spec, siteContainer({ ...row, title: 'Another', notes: 'x', labels: '["y"]' }, 'image', limits))
    assert.equal(spec.user, '70033:70033')
    for (const uid of [0, 33, 69_000, 100_000])
      assert.throws(() => siteContainer({ ...row, uid }, 'image', limits), /not the number of a site/)
    assert.equal(spec.readOnly, true)
    assert.deepEqual(spec.capAdd ?? [], [])
    assert.deepEqual(
      spec.mounts?.map(({ source, readOnly = false }) => [source, readOnly]),
      [
        ['/srv/fleetpress/sites/my-shop/html', false],
        ['/srv/fleetpress/sites/my-shop/hosts', true],
        ['/srv/fleetpress/sites/my-shop/passwd', true],
        ['/srv/fleetpress/sites/my-shop/group', true],
        ['/srv/fleetpress/run/site-databases/my-shop', true],
      ],
    )
  })
})

describe('what a site is called in its database', () => {
  it('is never shared by two slugs', () => {
    assert.equal(databaseNameOf('my-shop'), 'wp_my_shop')
    assert.notEqual(databaseNameOf('a-b'), databaseNameOf('ab'))
  })
})

describe('wp-config.php', () => {
  it('holds every text as exactly that text', () => {
    assert.equal(phpString(`a'b\\c$d"e`), `'a\\'b\\\\c$d"e'`)
    const text = wpConfig({ database: 'wp_a', name: 'wp_a', password: new Secret(`'; system('id'); //`) }).reveal()
    assert.ok(text.includes(`define('DB_PASSWORD', '\\'; system(\\'id\\'); //');`))
  })

  it('has other salts for every site, and is a secret as a whole', () => {
    const make = () => wpConfig({ database: 'wp_a', name: 'wp_a', password: new Secret('x') })
    const salts = [make(), make()].flatMap(config => config.reveal().match(/_(?:KEY|SALT)', '[^']{64}'/g) ?? [])
    assert.equal(salts.length, 16)
    assert.equal(new Set(salts.map(salt => salt.slice(-65))).size, 16)
    assert.doesNotMatch(String(make()), /DB_PASSWORD/)
  })
})
