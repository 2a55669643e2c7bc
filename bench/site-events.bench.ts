import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { warmServer } from '#test/support/warm-server.ts'
import { report } from './report.ts'

const SITES = 8
const FLEET = 200
const IDLE_MINUTES = 2
const MINUTES_PER_DAY = 1440
/** Until the first look at what is due, and what was due then, are over and php-fpm has ended its processes. */
const SETTLE_MS = 120_000
const RUN_MS = 75_000

await using house = await warmServer()
const { shell, createTimed } = house
const slugs = Array.from({ length: SITES }, (_, number) => `site-${number}`)
for (const slug of slugs) await createTimed(slug)
await house.settled()

/** What the containers of all sites have used so far. */
const usedMs = async (): Promise<number> => {
  const script = slugs.map(slug => {
    const id = `$(docker inspect --format '{{.Id}}' fleetpress-site-${slug})`
    // In microseconds; cgroups of the first version count nanoseconds, in their own file.
    return `id=${id}
      find /sys/fs/cgroup -path "*$id/cpuacct.usage" -exec awk '{ print $1 / 1000 }' {} + | head -n 1 | grep . ||
      find /sys/fs/cgroup -path "*$id*/cpu.stat" -exec awk '/^usage_usec/ { print $2 }' {} + | head -n 1`
  })
  const figures = (await shell(script.join('\n'))).trim().split('\n').map(Number)
  assert.ok(figures.length === SITES && figures.every(figure => figure > 0), String(figures))
  return figures.reduce((sum, figure) => sum + figure, 0) / 1000
}
const wp = (slug: string, words: string) => shell(`docker exec fleetpress-site-${slug} wp ${words}`)

await sleep(SETTLE_MS)
const before = await usedMs()
await sleep(IDLE_MINUTES * 60_000)
const idleMs = ((await usedMs()) - before) / SITES / IDLE_MINUTES

for (const slug of slugs) await wp(slug, 'cron event schedule wp_privacy_delete_old_export_files +40seconds')
await sleep(12_000)
const beforeRun = await usedMs()
await sleep(RUN_MS)
const runMs = ((await usedMs()) - beforeRun) / SITES - (idleMs * RUN_MS) / 60_000

const intervals = (await wp(slugs[0] ?? '', 'cron event list --field=interval --format=csv')).match(/\d+/g) ?? []
const runsPerDay = intervals.reduce((sum, seconds) => sum + 86_400 / Number(seconds), 0)
const share = (msPerMinute: number) => (msPerMinute * FLEET * 100) / 60_000
console.log(
  `idle ${idleMs.toFixed(2)} ms a minute, one run ${runMs.toFixed(0)} ms, ${runsPerDay.toFixed(1)} runs a day`,
)
report('site-events', [
  {
    name: `CPU of ${FLEET} idle sites with their scheduled events, of one core`,
    unit: '%',
    ours: share(idleMs + (runMs * runsPerDay) / MINUTES_PER_DAY),
    limit: { atMost: 2 },
  },
])
