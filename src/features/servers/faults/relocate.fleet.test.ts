import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertTyped, FAULTS, type FaultHouse, type FaultName, faultHouse } from '#test/support/fault-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverRelocateBackups } from '../jobs/server.relocate-backups.ts'

interface Case {
  fault: FaultName
  step: string
  afterMs: number
}

const [, COPYING = '', COMPARING = '', , REMOVING = ''] = serverRelocateBackups.steps.map(step => step.label)

const CHOSEN: Case[] = [
  { fault: 'sshd is killed', step: COPYING, afterMs: 50 },
  { fault: 'the machine is rebooted', step: COPYING, afterMs: 100 },
  { fault: 'the disk is full', step: COPYING, afterMs: 0 },
  { fault: 'sshd is killed', step: COMPARING, afterMs: 50 },
  { fault: 'sshd is killed', step: REMOVING, afterMs: 0 },
]

const everyCase = (): Case[] =>
  serverRelocateBackups.steps.flatMap(({ label }) =>
    (Object.keys(FAULTS) as FaultName[]).flatMap(fault => [0, 100].map(afterMs => ({ fault, step: label, afterMs }))),
  )

/** 50 MB in 1,000 files, since one large file would be copied before anything can strike. */
const SOME_BACKUPS = `mkdir -p /srv/fleetpress/backups/shop && cd /srv/fleetpress/backups/shop
head -c 50000000 /dev/urandom | split -a 4 -b 50000 - part. && ln -s part.aaaa latest && chmod 600 part.* && sync`
const digestOf = (folder: string) =>
  `cd ${folder} 2>/dev/null && { find . -mindepth 1 -printf '%P %y %m %l\\n' | sort
find . -type f -print0 | sort -z | xargs -0r sha256sum; } | sha256sum`
const HOW_MANY = 'find /srv/fleetpress/backups /srv/elsewhere -type f | wc -l'

describe('moving backups while something breaks', { timeout: SOAK ? 2 * 3_600_000 : 600_000 }, () => {
  let house: FaultHouse
  before(async () => {
    house = await faultHouse()
  })
  after(() => house?.[Symbol.asyncDispose]())

  const rootNow = async () => (await house.panel.as('full').serverGet({ params: { id: house.id } })).backupRoot

  /** In one place or in the other, whole, and of what was not used nothing is left. */
  const assertWhole = async (job: { status: string }, to: string, digest: string, log: string) => {
    const root = await rootNow()
    assert.equal(await house.shell(digestOf(root)), digest, log)
    if (job.status === 'succeeded') assert.equal(root, to)
    if (root !== to) assert.equal(await house.shell(digestOf(to)), '', `nothing stays at ${to}\n${log}`)
    if (job.status === 'succeeded' || root !== to) assert.equal(Number(await house.shell(HOW_MANY)), 1000, log)
  }

  for (const [at, { fault, step, afterMs }] of (SOAK ? everyCase() : CHOSEN).entries()) {
    it(`${fault}, ${afterMs} ms into "${step}": the backups are whole, in one folder or the other`, async t => {
      await house.clear()
      await house.shell(SOME_BACKUPS)
      const params = { id: house.id }
      await house.panel.as('full').serverUpdate({ params, body: { backupRoot: '/srv/fleetpress/backups' } })
      const digest = await house.shell(digestOf('/srv/fleetpress/backups'))
      const to = `/srv/elsewhere/${at}`
      const started = Date.now()
      const move = () => house.panel.as('full').serverRelocateBackups({ params, body: { to } })
      const job = await house.struck(move, { step, afterMs, fault: FAULTS[fault] })
      t.diagnostic(`${job.status} ${job.error?.code ?? ''} after ${Date.now() - started} ms`)
      const log = await house.logOf(job)
      assertTyped(job, log)
      await house.lanesAreFree()
      assert.deepEqual(await house.look(), [], log)
      await assertWhole(job, to, digest, log)
      if (job.status === 'succeeded') return
      const again = await house.ended((await move()).job)
      assert.equal(again.status, 'succeeded', `${again.error?.message}\n${await house.logOf(again)}`)
      await assertWhole(again, to, digest, '')
    })
  }
})
