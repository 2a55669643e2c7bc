import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { ask, type Stream, stream } from '#test/support/move/visitors.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const SLUG = 'hello'
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const LOST_DISK = 'fallocate -l'

/** Keeps every note once in the database and once as a file, and tells who asks. */
const PLUGIN = `<?php
if (isset($_POST['note'])) add_action('init', function () {
  $note = preg_replace('/[^a-z0-9-]/', '', $_POST['note']);
  wp_insert_comment(['comment_post_ID' => 0, 'comment_content' => "note $note", 'comment_approved' => 1]);
  file_put_contents(WP_CONTENT_DIR . "/uploads/notes/$note", $note, FILE_APPEND);
  exit("kept $note");
});
if (isset($_GET['whoami'])) add_action('init', function () { exit($_SERVER['REMOTE_ADDR'] . ' ' . $_SERVER['HTTP_HOST']); });`

/** Posts, and uploads with names and kinds that a copy could lose. WordPress marks new posts and removes the marks later by itself: here before anything is compared. */
const FILL = `cd ${HTML} && mkdir -p wp-content/mu-plugins wp-content/uploads/notes "wp-content/uploads/fixed/a b" && cd wp-content/uploads/fixed
head -c 20000000 /dev/urandom > big.bin && printf x > "a b/quote'\\" \\$(id)
line" && printf y > "$(printf 'byte\\377')" && ln -s ../../../wp-config.php link && ln -s /etc/passwd outside && touch -d '2001-02-03 04:05:06.789' big.bin
mkdir -m 2750 closed && touch -- -rf --help && chmod 604 -- --help && ln big.bin twin && truncate -s 5M holes
cat > ${HTML}/wp-content/mu-plugins/notes.php && chown -Rh --reference=${HTML} ${HTML}/wp-content
docker exec fleetpress-site-${SLUG} wp post generate --count=200 --quiet
docker exec fleetpress-site-${SLUG} wp cron event run do_pings --quiet`

const FILES = `cd ${HTML}/wp-content/uploads/fixed && find . -printf '%P %y %m %U %G %s %l %T@\\n' | grep -v ' d ' | sort && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum`
const TABLES = `docker exec --user root fleetpress-database mariadb -N -e 'checksum table wp_${SLUG}.wp_posts, wp_${SLUG}.wp_users, wp_${SLUG}.wp_terms, wp_${SLUG}.wp_postmeta extended'`
const NOTES = `docker exec --user root fleetpress-database mariadb -N -e "select substr(comment_content, 6) from wp_${SLUG}.wp_comments where comment_content like 'note %' order by 1"`
const NOTE_FILES = `cd ${HTML}/wp-content/uploads/notes && for file in *; do cat "$file"; echo; done | sort`

describe('moving a site', { timeout: 15 * 60_000 }, () => {
  let house: SiteHouse
  let old: Vps
  let next: Vps
  let hostname: string
  let nothing: string[]
  const api = () => house.panel.as('full')
  const params = { slug: SLUG }
  const targetOf = (at: number) => ({ targetServerId: house.ids[at] ?? 0 })

  before(async () => {
    house = await siteHouse(2)
    const [first, second] = house.servers
    assert.ok(first && second)
    old = first
    next = second
    hostname = `${SLUG}.${old.name}.localhost`
    nothing = await lookAtSites(old)
    await house.create(SLUG)
    const { exitCode, stderr } = await old.exec(['bash', '-c', FILL], { input: PLUGIN })
    assert.equal(exitCode, 0, stderr)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const contentsOf = async (server: Vps) => ({
    files: await shellOn(server)(FILES),
    tables: await shellOn(server)(TABLES),
  })
  const notesOn = async (server: Vps) => ({
    rows: (await shellOn(server)(NOTES)).trim().split('\n'),
    files: (await shellOn(server)(NOTE_FILES)).trim().split('\n'),
  })

  it('is refused where it cannot be done, and says why', async () => {
    await assert.rejects(api().siteMove({ params, body: targetOf(0) }), /is already on vps1/)
    await assert.rejects(api().siteMove({ params, body: { targetServerId: 1 } }), /not set up yet/)
    await assert.rejects(api().siteMove({ params, body: { targetServerId: 99 } }), /no server 99/)
    await assert.rejects(api().siteMoveFinalize({ params }), /has no copy/)
  })

  it('answers every request of a constant stream, and loses no byte', async t => {
    const before = await contentsOf(old)
    assert.ok(before.files.includes('twin') && before.tables.includes('wp_posts'))
    let visitors: Stream | undefined
    try {
      visitors = stream(old.address, hostname)
      const { job } = await api().siteMove({ params, body: targetOf(1) })
      const result = (await house.succeeded(job.id)) as { heldMs: number }
      const { answered, notes, slowestMs, others } = await visitors.end()
      t.diagnostic(`${answered} requests, the slowest ${slowestMs} ms; visitors were held for ${result.heldMs} ms`)
      assert.deepEqual(others, [])
      assert.ok(answered > 60 && notes.length > 5, `${answered} requests, ${notes.length} notes`)
      const kept = await notesOn(next)
      assert.deepEqual(kept, { rows: notes.toSorted(), files: notes.toSorted() })
      assert.ok((await notesOn(old)).rows.length < notes.length, 'some came after the site had moved')
    } finally {
      await visitors?.end()
    }
    assert.deepEqual(await contentsOf(next), before)
    assert.deepEqual(await contentsOf(old), before)
  })

  it('leaves the old copy parked, and the old server forwards with the address of the visitor', async () => {
    const site = await api().siteGet({ params })
    assert.deepEqual([site.serverId, site.status, site.hostnames], [house.ids[1], 'running', [hostname]])
    const ways = [old, next].map(server => ask({ address: server.address, hostname, path: '/?whoami=1' }))
    const [throughOld, direct] = await Promise.all(ways)
    assert.equal(throughOld?.text, direct?.text)
    assert.match(direct?.text ?? '', new RegExp(` ${hostname}$`))
    const forged = { 'x-forwarded-for': '203.0.113.5' }
    const lied = await ask({ address: old.address, hostname, path: '/?whoami=1', headers: forged })
    assert.equal(lied.text, direct?.text)
    const state = await shellOn(old)(`docker inspect -f '{{.State.Status}}' fleetpress-site-${SLUG}`)
    assert.equal(state.trim(), 'exited')
    await assert.rejects(api().siteMove({ params, body: targetOf(0) }), /unfinished move/)
  })

  it('is finalized: nothing is left on the old server', async () => {
    await house.succeeded((await api().siteMoveFinalize({ params })).job.id)
    assert.deepEqual(await lookAtSites(old), nothing)
    assert.equal((await ask({ address: old.address, hostname, path: '/' })).status, 421)
    assert.equal((await ask({ address: next.address, hostname, path: '/' })).status, 200)
    await assert.rejects(api().siteMoveFinalize({ params }), /has no copy/)
  })

  it('fails before anything is copied when the new server has too little room', async () => {
    await shellOn(old)(`${LOST_DISK} $(($(df -B1 --output=avail /srv | tail -n 1) - 300000000)) /srv/filled`)
    try {
      const before = await lookAtSites(old)
      const { job } = await api().siteMove({ params, body: targetOf(0) })
      await assert.rejects(house.succeeded(job.id), /MiB left/)
      assert.deepEqual(await lookAtSites(old), before)
      assert.equal((await ask({ address: next.address, hostname, path: '/' })).status, 200)
    } finally {
      await shellOn(old)('rm -f /srv/filled')
    }
  })

  it('gives a site from before it had its own user that user first', async () => {
    await house.succeeded((await api().siteStop({ params })).job.id)
    await shellOn(next)(`chown -hR 33:33 ${HTML}`)
    await house.succeeded((await api().siteMove({ params, body: targetOf(0) })).job.id)
    for (const server of [old, next])
      assert.equal(await shellOn(server)(`find ${HTML} -printf '%U:%G\\n' | sort -u`), '70000:70000\n')
    await house.succeeded((await api().siteStart({ params })).job.id)
    assert.equal((await ask({ address: old.address, hostname, path: '/' })).status, 200)
  })
})
