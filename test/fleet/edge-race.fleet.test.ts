import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { attemptCertificate, keyPurpose } from '#features/certificates/attempt-certificate.ts'
import { changeCertificate, insertCertificate } from '#features/certificates/certificate-store.ts'
import { issuanceFor } from '#features/certificates/issuance-for.ts'
import { newCertificateRow } from '#features/certificates/obtain-certificate.ts'
import { applyServerEdge } from '#features/edge/index.ts'
import { replaceHostnames } from '#features/sites/domains/hostname-store.ts'
import type { Scope } from '#platform/scope.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { testPanel } from '#test/support/panel.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'

const ROUNDS = SOAK ? 334 : 10
const CHANGERS = 3
const VISIT_MS = 20

/** A second process in all that matters: its own data folder, connections and queues; only the database is shared. */
const secondPanel = ({ panel: { config } }: SiteHouse) => {
  const dataDir = join(config.dataDir, 'second')
  mkdirSync(dataDir)
  copyFileSync(join(config.dataDir, MASTER_KEY_FILE), join(dataDir, MASTER_KEY_FILE))
  return testPanel({ config: { ...config, dataDir } })
}

/** Asks the site through the edge, from the server itself, until stopped. */
const visitors = (house: SiteHouse, hostname: string) => {
  const stopping = new AbortController()
  const lost: string[] = []
  let count = 0
  const told = '%{http_code} %{errormsg}'
  const curl = ['curl', '-s', '-o', '/dev/null', '-w', told, '--max-time', '10', '-H', `Host: ${hostname}`]
  const visit = async () => {
    while (!stopping.signal.aborted) {
      const answer = await house.servers[0]?.exec([...curl, 'http://127.0.0.1/'])
      count += 1
      if (answer?.stdout.trim() !== '200') lost.push(`${answer?.stdout} ${answer?.stderr}`)
      await sleep(VISIT_MS)
    }
  }
  const done = Promise.all([visit(), visit()])
  return {
    async stop() {
      stopping.abort()
      await done
      return { count, lost }
    },
  }
}

const rename = (scope: Scope, name: string) =>
  replaceHostnames(scope.db, 'changing', { serving: [`${name}.localhost`] })

/** Outside all lanes, as the renewer does it: a new serial, delivered and loaded. */
const renew = async (scope: Scope, id: string, serverId: number, round: number) => {
  const issuance = (await issuanceFor(scope, serverId)) ?? assert.fail()
  await changeCertificate(scope.db, id, {
    serial: `serial${round}`,
    chain_pem: `chain ${round}`,
    sealed_key: scope.secrets.seal(keyPurpose(id), `key ${round}`),
  })
  const { signal } = new AbortController()
  await attemptCertificate(scope, { ...issuance, signal }, id, () => false)
}

it('ends with the newest state, however two panels and a renewer race', { timeout: 3_600_000 }, async context => {
  await using house = await siteHouse(1, { engineName: 'postgres' })
  const [serverId = 0] = house.ids
  const { url } = await house.create('steady')
  await house.create('changing')
  const other = await secondPanel(house)
  try {
    const scopes = [house.panel, other].map(({ world }) => world.scope(systemActor('race')))
    const [one, two] = scopes as [Scope, Scope]
    const certificate = newCertificateRow(serverId, '["renewed.example"]', Date.now())
    await insertCertificate(one.db, certificate)
    const traffic = visitors(house, new URL(url).hostname)
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([
        rename(one, `one-${round}`).then(() => applyServerEdge(one, serverId)),
        rename(two, `two-${round}`).then(() => applyServerEdge(two, serverId)),
        renew(two, certificate.id, serverId, round),
      ])
      const { isChanged } = await applyServerEdge(one, serverId)
      assert.equal(isChanged, false, `round ${round}: an older state was left in place`)
    }
    const { count, lost } = await traffic.stop()
    context.diagnostic(`${ROUNDS * CHANGERS} changes, ${count} requests, ${lost.length} lost`)
    assert.deepEqual(lost, [])
  } finally {
    await other.stop()
  }
})
