import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exampleDevSite } from '#test/support/nginx/example-values.ts'
import { type RealNginx, realNginx } from '#test/support/nginx/real-nginx.ts'
import { ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { applyEdge, type EdgeRunner } from './apply-edge.ts'
import { edgeMain } from './edge-main.ts'
import { edgeSite } from './edge-site.ts'
import { currentGeneration, type EdgeFiles, generationOf, pathOf, pointTo, writeGeneration } from './generations.ts'

void describe('a change of the edge', { timeout: 300_000 }, () => {
  let nginx: RealNginx
  let sitePort = 0
  const site = createServer((_request, response) => response.end('site'))

  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const address = site.address()
    sitePort = typeof address === 'object' && address !== null ? address.port : 0
    nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['bakery.example'])
  })
  after(async () => {
    await nginx?.stop()
    site.closeAllConnections()
    site.close()
  })

  const filesOf = (version: string, more: EdgeFiles = {}): EdgeFiles => {
    const target = { kind: 'upstream', address: '127.0.0.1', port: sitePort } as const
    return {
      'nginx.conf': edgeMain(nginx.edge),
      'sites/draft.conf': edgeSite({ ...exampleDevSite, target, headers: { 'X-Version': version } }, nginx.edge),
      ...more,
    }
  }
  const apply = (files: EdgeFiles, runner: EdgeRunner = nginx.runner) =>
    applyEdge(nginx.folder, async () => files, runner)
  const servedVersion = async () =>
    (await ask({ port: nginx.edge.httpPort, host: 'draft.localhost' })).headers['x-version']
  const generations = () => readdirSync(`${nginx.folder.path}/generations`)

  void it('is served at once, and applied again it does nothing', async () => {
    const first = await apply(filesOf('1'))
    assert.deepEqual([first.isChanged, await servedVersion()], [true, '1'])
    const refusing: EdgeRunner = {
      ...nginx.runner,
      test: () => assert.fail('tested again'),
      reload: () => assert.fail('reloaded again'),
    }
    assert.deepEqual(await apply(filesOf('1'), refusing), { id: first.id, isChanged: false })
  })

  void it('that nginx refuses leaves the old one in service', async () => {
    await apply(filesOf('good'))
    const current = await currentGeneration(nginx.folder)
    await assert.rejects(apply(filesOf('bad', { 'sites/broken.conf': 'server { listen 1' })), {
      code: 'edge_refused',
      output: /unexpected end of file/,
    })
    assert.deepEqual([await currentGeneration(nginx.folder), await servedVersion()], [current, 'good'])
    assert.ok(!generations().includes(generationOf(filesOf('bad', { 'sites/broken.conf': 'server { listen 1' }))))
  })

  void it('that passes the test but cannot be served is taken back', async () => {
    await apply(filesOf('good'))
    const current = await currentGeneration(nginx.folder)
    const taken = createTcpServer()
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const files = filesOf('bad', { 'sites/taken.conf': `server { listen 127.0.0.1:${port}; }` })
    try {
      await assert.rejects(apply(files), { code: 'edge_not_serving' })
    } finally {
      taken.close()
    }
    assert.deepEqual([await currentGeneration(nginx.folder), await servedVersion()], [current, 'good'])
    assert.equal((await apply(filesOf('next'))).isChanged, true)
    assert.equal(await servedVersion(), 'next')
  })

  void it('that fails half-way in any step is finished by the next attempt', async () => {
    await apply(filesOf('before'))
    const { path } = nginx.folder
    const files = filesOf('after')
    const id = generationOf(files)

    mkdirSync(`${path}/generations/.new-killed`)
    writeFileSync(`${path}/generations/.new-killed/nginx.conf`, 'half of a fi')
    symlinkSync('generations/nowhere', `${path}/.current-killed`)
    assert.equal(await servedVersion(), 'before')

    await writeGeneration(nginx.folder, id, files)
    assert.equal(await servedVersion(), 'before')

    await pointTo(nginx.folder, id)
    assert.equal(await servedVersion(), 'before')
    assert.ok((await nginx.runner.test(`${path}/current`)).ok)

    assert.deepEqual(await apply(files), { id, isChanged: true })
    assert.equal(await servedVersion(), 'after')
    assert.deepEqual(
      readdirSync(path).filter(name => name.startsWith('.')),
      ['.lock'],
    )
    assert.deepEqual(
      generations().filter(name => name.startsWith('.')),
      [],
    )
  })

  void it('waits for the one before it', async () => {
    const versions = Array.from({ length: 6 }, (_, index) => `together-${index}`)
    let testing = 0
    const runner: EdgeRunner = {
      ...nginx.runner,
      test: async generationPath => {
        testing += 1
        assert.equal(testing, 1)
        const result = await nginx.runner.test(generationPath)
        await delay(20)
        testing -= 1
        return result
      },
    }
    const applied = await Promise.all(versions.map(version => apply(filesOf(version), runner)))
    assert.equal(await currentGeneration(nginx.folder), applied.at(-1)?.id)
    assert.equal(await servedVersion(), versions.at(-1))
    assert.equal(generations().length, 3)
  })

  void it('is served among 500 sites', async context => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => {
        const name = `site-${index}`
        return [
          `sites/${name}.conf`,
          edgeSite({ ...exampleDevSite, name, hostnames: [`${name}.localhost`] }, nginx.edge),
        ]
      }),
    )
    const startedAt = performance.now()
    await apply(filesOf('many', many))
    context.diagnostic(`one change among 500 sites: ${Math.round(performance.now() - startedAt)} ms`)
    assert.equal(await servedVersion(), 'many')
    assert.equal(readdirSync(`${pathOf(nginx.folder, generationOf(filesOf('many', many)))}/sites`).length, 501)
  })
})
