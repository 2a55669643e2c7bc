import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'

const SITES = SOAK ? 20 : 2
const ROUNDS = SOAK ? 20 : 2
const ROUND_MS = 30_000
const LATEST_SECONDS = 60
/** After a start a site waits up to 40 s before it looks, so that a copy that is still moving runs nothing. */
const FIRST_LOOK_MS = 40_000
const START_LIMIT_MS = 120_000
const AFTER_START_MS = FIRST_LOOK_MS + 50_000

/** Schedules what it is asked for, and writes down when each event was due and when it ran. */
const PLUGIN = `<?php
add_filter('cron_schedules', fn ($all) => $all + ['minutely' => ['interval' => 60, 'display' => 'Every minute']]);
add_action('probe', fn ($due) => file_put_contents('/var/www/html/probe.log',
  implode(' ', [$due, time(), home_url(), $_SERVER['HTTP_HOST']]) . "\\n", FILE_APPEND | LOCK_EX));
add_action('queue', fn () => file_put_contents('/var/www/html/queue.log', time() . "\\n", FILE_APPEND));
add_action('slow', function () {
  touch('/var/www/html/slow.log');
  sleep(10);
});
add_action('init', function () {
  if (!isset($_GET['due'])) return;
  $due = time() + (int) $_GET['due'];
  if (isset($_GET['every'])) wp_schedule_event($due, $_GET['every'], $_GET['hook'], [$due]);
  else wp_schedule_single_event($due, $_GET['hook'], [$due]);
  exit((string) $due);
});
`

/** Word: a stopped process. Continues it as soon as it is asked to end, a second before it would be killed. */
const END_WHEN_ASKED = `QUIT=4
for ((tries = 0; tries < 2000; tries++)); do
  while read -r name mask; do
    [[ $name == ShdPnd: ]] && ((16#$mask & QUIT)) && kill -CONT "$1" && echo ended && exit
  done < "/proc/$1/status"
  sleep 0.05
done
`

const ascending = (a: number, b: number) => a - b

interface Run {
  readonly due: number
  readonly at: number
  readonly home: string
  readonly host: string
}

describe('scheduled events of WordPress, with the panel stopped', { timeout: 40 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const slugs = Array.from({ length: SITES }, (_, number) => `site-${number}`)
  /** Each has its own test, so that these can wait at the same time. */
  const [stopped, tampered, busy, asleep] = ['stopped', 'tampered', 'busy', 'asleep']
  const nameOf = (slug: string) => `${slug}.vps1.localhost`
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }
  const inSite = (slug: string, script: string) => shell(`docker exec fleetpress-site-${slug} bash -c '${script}'`)
  /** By a visit, as plugins do it; when it is due. */
  const schedule = async (slug: string, seconds: number, { hook = 'probe', every = '' } = {}): Promise<number> => {
    const visitor = new WordpressPerson(server.address, `http://${nameOf(slug)}`)
    const query = new URLSearchParams({ due: String(seconds), hook, ...(every && { every }) })
    const { status, text } = await visitor.ask(`/?${query.toString()}`)
    assert.equal(status, 200, text.slice(0, 300))
    return Number(text)
  }
  const runsOf = async (slug: string): Promise<Run[]> =>
    (await inSite(slug, 'cat probe.log 2> /dev/null || true'))
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.split(' '))
      .map(([due, at, home = '', host = '']) => ({ due: Number(due), at: Number(at), home, host }))
  const runOf = async (slug: string, due: number) => (await runsOf(slug)).filter(run => run.due === due)

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    for (const slug of [...slugs, stopped, tampered, busy, asleep]) {
      await house.create(slug)
      const path = `/var/www/html/wp-content/mu-plugins/probe.php`
      const words = ['docker', 'exec', '-i', `fleetpress-site-${slug}`, 'tee', path]
      assert.equal((await server.exec(words, { input: PLUGIN })).exitCode, 0)
    }
    await house.panel.stop()
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('leave must-use plugins of the site alone, and restore their own', async () => {
    const folder = '/var/www/html/wp-content/mu-plugins'
    const list = `cd ${folder}; ls; sha256sum fleetpress.php probe.php`
    const before = await inSite(stopped, list)
    await inSite(stopped, `echo "<?php // changed" > ${folder}/fleetpress.php`)
    await shell(`docker restart fleetpress-site-${stopped}`)
    assert.equal(await inSite(stopped, list), before)
    await assert.rejects(inSite(stopped, 'touch /opt/fleetpress/must-use/fleetpress.php'))
  })

  describe('at the same time', { concurrency: true }, () => {
    it(`run on time on ${SITES} sites, each exactly once`, async t => {
      const expected: { slug: string; due: number }[] = []
      const beganAt = Date.now()
      for (const slug of slugs) await schedule(slug, 1, { hook: 'queue', every: 'minutely' })
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const slug of slugs) expected.push({ slug, due: await schedule(slug, 5 + Math.floor(Math.random() * 30)) })
        await sleep(ROUND_MS)
      }
      await sleep(LATEST_SECONDS * 1000)
      const late: number[] = []
      for (const slug of slugs) {
        const runs = await runsOf(slug)
        const dues = expected.filter(each => each.slug === slug).map(({ due }) => due)
        assert.deepEqual(runs.map(({ due }) => due).toSorted(ascending), dues.toSorted(ascending), slug)
        for (const { due, at, home, host } of runs) {
          late.push(at - due)
          assert.deepEqual([home, host], [`http://${nameOf(slug)}`, nameOf(slug)])
        }
        const queue = (await inSite(slug, 'cat queue.log')).trim().split('\n')
        const minutes = Math.floor((Date.now() - beganAt) / 60_000)
        assert.ok(
          queue.length >= minutes - 1,
          `a queue that is due every minute ran ${queue.length} times in ${minutes} minutes`,
        )
      }
      t.diagnostic(`${late.length} events, at most ${Math.max(...late)} s late`)
      assert.ok(Math.max(...late) <= LATEST_SECONDS && Math.min(...late) >= 0, JSON.stringify(late))
    })

    it('leave no visitor waiting whom PHP has overlooked', async () => {
      await schedule(asleep, 3000)
      const [, idle = ''] = /^ *(\d+).* pool visitors/m.exec(await inSite(asleep, 'ps ax')) ?? assert.fail()
      // Stopped, it counts as ready for the next visitor until php-fpm asks it to end.
      await inSite(asleep, `kill -STOP ${idle}`)
      const visit = `curl -s -m 150 -o /dev/null -w '%{http_code}' -H 'Host: ${nameOf(asleep)}' http://127.0.0.1/`
      const words = ['docker', 'exec', '-i', `fleetpress-site-${asleep}`, 'bash', '-s', idle]
      const [status, ended] = await Promise.all([shell(visit), server.exec(words, { input: END_WHEN_ASKED })])
      assert.deepEqual([status, ended.stdout], ['200', 'ended\n'])
    })

    it('run once after a downtime that they were missed in', async () => {
      const single = await schedule(stopped, 2)
      await shell(`docker stop fleetpress-site-${stopped}`)
      await sleep(3000)
      await shell(`docker start fleetpress-site-${stopped}`)
      const visitor = new WordpressPerson(server.address, `http://${nameOf(stopped)}`)
      await until('Starting', async () => (await visitor.ask('/')).status === 200, START_LIMIT_MS)
      const repeated = await schedule(stopped, -3 * 3600, { every: 'hourly' })
      await sleep(AFTER_START_MS)
      for (const due of [single, repeated]) assert.equal((await runOf(stopped, due)).length, 1)
    })

    it('are not lost when they are scheduled while others run', async () => {
      await schedule(busy, 1, { hook: 'slow' })
      const next = await schedule(busy, 2)
      const begun = async () => (await inSite(busy, 'ls slow.log 2> /dev/null || true')) !== ''
      await until('Running the slow one', begun, AFTER_START_MS)
      const meanwhile = await schedule(busy, 1)
      await sleep(LATEST_SECONDS * 1000)
      for (const due of [next, meanwhile]) assert.equal((await runOf(busy, due)).length, 1)
    })

    it('run whatever the site has put in place of the note about the next one', async () => {
      await sleep(FIRST_LOOK_MS)
      await inSite(tampered, 'head -c 100000 /dev/urandom > /run/fleetpress/next-event')
      await sleep(16_000)
      await inSite(tampered, 'rm /run/fleetpress/next-event; mkfifo /run/fleetpress/next-event')
      await sleep(16_000)
      const due = await schedule(tampered, 1)
      await sleep(LATEST_SECONDS * 1000)
      assert.equal((await runOf(tampered, due)).length, 1)
      const started = await shell(`docker inspect -f '{{.RestartCount}}' fleetpress-site-${tampered}`)
      assert.equal(started.trim(), '0')
    })
  })
})
