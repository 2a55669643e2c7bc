import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertTyped,
  FAULTS,
  type FaultHouse,
  type FaultName,
  faultHouse,
  STACK_AS_DESIGNED,
} from '#test/support/fault-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverProvision } from '../jobs/server.provision.ts'

interface Case {
  fault: FaultName
  step: string
  afterMs: number
  /** Brings the server to where the step has something to do. */
  prepare?: string
}

const NO_IMAGES = 'docker image ls -q | sort -u | xargs -r docker image rm -f'
const NO_ZSTD = 'apt-get remove -y zstd'
const PREPARE: Record<string, string> = { 'Installing packages': NO_ZSTD, 'Copying the images': NO_IMAGES }

const CHOSEN: Case[] = [
  { fault: 'the network is cut for 5 s', step: 'Copying the images', afterMs: 500 },
  { fault: 'the machine is rebooted', step: 'Starting the services', afterMs: 500 },
  { fault: 'the disk is full', step: 'Starting the services', afterMs: 0 },
]

const everyCase = (): Case[] =>
  serverProvision.steps.flatMap(({ label }) =>
    (Object.keys(FAULTS) as FaultName[]).flatMap(fault =>
      [0, 400].map(afterMs => ({ fault, step: label, afterMs, prepare: PREPARE[label] ?? '' })),
    ),
  )

describe('setting a server up while something breaks', { timeout: SOAK ? 4 * 3_600_000 : 900_000 }, () => {
  let house: FaultHouse
  before(async () => {
    house = await faultHouse()
  })
  after(() => house?.[Symbol.asyncDispose]())

  for (const { fault, step, afterMs, prepare } of SOAK ? everyCase() : CHOSEN) {
    it(`${fault}, ${afterMs} ms into "${step}": done or undone, and right at the next try`, async t => {
      await house.clear()
      if (prepare) await house.shell(prepare)
      const started = Date.now()
      const job = await house.struck(
        () => house.panel.as('full').serverReprovision({ params: { id: house.id }, body: {} }),
        { step, afterMs, fault: FAULTS[fault] },
      )
      t.diagnostic(`${job.status} ${job.error?.code ?? ''} after ${Date.now() - started} ms`)
      const log = await house.logOf(job)
      assertTyped(job, log)
      await house.lanesAreFree()
      assert.deepEqual(await house.look(), job.status === 'succeeded' ? STACK_AS_DESIGNED : [], log)
      const again = await house.provision()
      assert.equal(again.status, 'succeeded', `${again.error?.message}\n${await house.logOf(again)}`)
      assert.deepEqual(await house.look(), STACK_AS_DESIGNED)
    })
  }
})
