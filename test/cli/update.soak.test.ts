import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { UPDATE_STEPS, type UpdateStep } from '#features/system/index.ts'
import { losesData, stopsSoon } from '../support/broken-release.ts'
import { ENGINES } from '../support/panel.ts'
import { FIRST, good, type PanelInstall, panelInstall } from '../support/panel-install.ts'

const STEPS = Object.keys(UPDATE_STEPS) as UpdateStep[]

for (const engine of ENGINES) {
  describe(`an update of a real install on ${engine}`, { timeout: 60 * 60_000, concurrency: false }, () => {
    let install: PanelInstall
    let written = 0
    before(async () => {
      install = await panelInstall(engine)
      await install.release('0.3.0')
    })
    after(() => install?.[Symbol.asyncDispose]())

    const names = async () => (await install.ask('GET', '/api/keys')).text()
    /** Something that people did before the update. */
    const write = async (): Promise<string> => {
      written += 1
      const name = `before ${written}`
      const answer = await install.ask('POST', '/api/keys', { name, access: 'read-only' })
      assert.equal(answer.status, 201, await answer.text())
      return name
    }
    /** One version is in use, runs, answers, takes changes and has the data. */
    const isWhole = async (version: string, known: string): Promise<void> => {
      assert.equal(install.versionInUse(), version)
      const { current, update } = (await install.shown()) ?? {}
      assert.equal(current, version)
      assert.notEqual(update?.status, 'running')
      assert.ok((await names()).includes(known), `${known} is gone`)
      await write()
    }

    for (const step of STEPS) {
      it(`killed in the step ${step}: the old version is back by itself, with its data`, async () => {
        const known = await write()
        await install.begin('0.3.0')
        await install.reached(step)
        install.kill({ alone: true })
        await install.ended('0.3.0')
        await isWhole(FIRST, known)
      })

      it(`cut off in the step ${step}, as by a power cut: the next start ends in the old version with its data`, async () => {
        const known = await write()
        await install.begin('0.3.0')
        await install.reached(step)
        install.kill({ alone: false })
        good(await install.run('up', '--detached', '--no-server'))
        await isWhole(FIRST, known)
      })
    }

    it('to a version that works: it stays, with the data', async () => {
      const known = await write()
      await install.begin('0.3.0')
      assert.equal((await install.ended('0.3.0')).status, 'succeeded')
      await isWhole('0.3.0', known)
    })

    it('to a version that loses data and does not stay up: the old one is back with its data', async () => {
      const known = await write()
      await install.release('0.4.0', root => {
        losesData(root)
        stopsSoon(root)
      })
      await install.begin('0.4.0')
      assert.equal((await install.ended('0.4.0')).status, 'rolled_back')
      await isWhole('0.3.0', known)
      assert.match(await (await install.ask('GET', '/api/settings')).text(), /releases\.json/)
    })
  })
}
