import { it } from 'node:test'
import { faultHouse } from '#test/support/fault-house.ts'

const t0 = Date.now()
const say = (...words: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(1), ...words)
it('explores', { timeout: 600_000 }, async () => {
  await using house = await faultHouse()
  say('house')
  for (let i = 0; i < 3; i++) {
    const job = await house.provision()
    say(job.status, job.error)
    const { logs } = await house.panel.as('full').jobGet({ params: { id: job.id }, query: {} })
    for (const l of logs) say(((l.at - t0) / 1000).toFixed(1), l.text.slice(0, 150))
    say(await house.look())
    if (i === 0) { await house.clear(); say('cleared', await house.look()) }
  }
})
