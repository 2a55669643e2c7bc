import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { assertTyped, FAULTS, type FaultHouse, type FaultName, faultHouse } from '#test/support/fault-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverApplySiteLimits } from '../jobs/server.apply-site-limits.ts'

const SITES = 6
const CHOSEN: FaultName[] = ['sshd is killed', 'Docker is restarted', 'the network is cut for 5 s', 'the disk is full']
const ALL = Object.keys(FAULTS) as FaultName[]

/** A program that waits is all a site has to be here; the first one ends again and again. */
const SITES_START = `mkdir -p /srv/image && cp -L --parents /bin/sleep $(ldd /bin/sleep | grep -o '/[^ ]*') /srv/image
tar -C /srv/image -c . | docker import - waiting > /dev/null
for number in $(seq ${SITES}); do
  docker run -d --name site$number --restart unless-stopped --label fleetpress.site=site$number --memory=300m \\
    --cpus=0.5 --pids-limit=99 --network none waiting /bin/sleep $((number == 1 ? 0 : 100000)) > /dev/null
done`
const LIMITS = `docker inspect --format '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}' \\
  $(docker ps -aq --filter label=fleetpress.site) | sort | uniq -c`

describe('giving sites other limits while something breaks', { timeout: SOAK ? 3_600_000 : 300_000 }, () => {
  let house: FaultHouse
  let memoryMiB = 400
  before(async () => {
    house = await faultHouse()
    await house.shell(SITES_START)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const apply = async () => {
    const { jobs } = house.panel.world.scope(systemActor('test'))
    return { job: await jobs.enqueue(serverApplySiteLimits, { serverId: house.id }) }
  }
  const limits = async () => (await house.shell(LIMITS)).trim().split('\n')

  for (const fault of SOAK ? ALL : CHOSEN) {
    it(`${fault}: all sites have the new limits, or all the old ones`, async t => {
      const before = await limits()
      assert.equal(before.length, 1, before.join('\n'))
      memoryMiB += 10
      await house.panel.as('full').settingsUpdate({ body: { siteLimits: { cpus: 1, memoryMiB, processes: 150 } } })
      const job = await house.struck(apply, { step: 'Applying the limits', afterMs: 20, fault: FAULTS[fault] })
      t.diagnostic(`${job.status} ${job.error?.code ?? ''}`)
      assertTyped(job, await house.logOf(job))
      await house.lanesAreFree()
      const changed = [`${SITES} ${memoryMiB * 1024 ** 2} 1000000000 150`]
      // On a full disk Docker keeps nothing, the old limits neither; then the job has to say so.
      const isLeft = fault === 'the disk is full' && job.error?.message.includes("Couldn't roll back")
      if (!isLeft) assert.deepEqual(await limits(), job.status === 'succeeded' ? changed : before)
      if (job.status === 'failed') assert.equal((await house.ended((await apply()).job)).status, 'succeeded')
      if (isLeft) assert.deepEqual(await limits(), changed)
    })
  }
})
