import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { restoreFile, takeFile } from '#features/scans/quarantine/move-file.ts'
import { getSite } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { FtpClients } from '#test/support/ftp-clients.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

/** Of each kind. What reads the whole site meets all pairs in each of its rounds. */
const ROUNDS = Number(process.env.FLEETPRESS_ROUNDS ?? 10_000)
const PAIRS = 100
const WHOLE_ROUNDS = Math.ceil(ROUNDS / PAIRS)
/** A backup that a pipe brings to a halt is ended after five minutes. */
const JOB_MS = 20 * 60_000
const SESSION_MS = 5 * 60_000

const SLUG = 'swapper'
const params = { slug: SLUG }
const AROUND = `/srv/fleetpress/sites/${SLUG}`
const HTML = `${AROUND}/html`
const REPOSITORY = `/srv/fleetpress/backups/${SLUG}/repository`
/** Only root may enter it. */
const ROOTS = '/var/lib/of-root'
const SECRET = 'SECRET-OF-ANOTHER'
const FOREIGN = /SECRET-OF-ANOTHER|root:x:0:0/

/** Files with a shell in them, which scans find, and links to what lies outside: next to the site, and at the root. */
const PREPARE = `set -e
mkdir -m 700 ${ROOTS} && echo ${SECRET} > ${ROOTS}/secret; echo ${SECRET} > ${AROUND}/secret; mkdir -p ${AROUND}/next && echo ${SECRET} > ${AROUND}/next/inner.php
cd ${HTML} && mkdir race && cd race
for at in $(seq ${PAIRS}); do
  mkdir -p $at/dir && echo '<?php eval($_POST["inside"]);' > $at/dir/inner.php && echo inside > $at/file && mkfifo $at/pipe
  case $((at % 3)) in 0) ln -s /etc $at/away;; 1) ln -s ../../../next $at/away;; 2) ln -s ${ROOTS} $at/away;; esac
done
chown -hR --reference=.. .`
/** RENAME_EXCHANGE leaves no moment in which a name is absent. */
const SWAPPER = `use Config; $c = $Config{archname} =~ /aarch64/ ? 276 : 316; chdir "race";
while (1) { for my $at (1..${PAIRS}) { syscall($c, -100, "$at/dir", -100, "$at/away", 2); syscall($c, -100, "$at/file", -100, "$at/pipe", 2) } }`

describe('a site that swaps its files under everything that reads them', { timeout: 12 * 3_600_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const api = () => house.panel.as('full')
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, stderr)
    return stdout.trim()
  }
  const outside = () =>
    shell(`cat ${ROOTS}/secret ${AROUND}/secret ${AROUND}/next/inner.php; ls -A ${ROOTS} ${AROUND}/next`)

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(PREPARE)
    await shell(`docker exec -d -w /var/www/html fleetpress-site-${SLUG} perl -e '${SWAPPER}'`)
  })
  after(() => house?.[Symbol.asyncDispose]())

  /** A site may spoil what is done to itself. It ends in time, and says why. */
  const ended = async (job: Job) => {
    const { status, error } = await endedOn(house.panel, job, JOB_MS)
    assert.ok(status === 'succeeded' || (error && !FOREIGN.test(JSON.stringify(error))), JSON.stringify(error))
    return { status, code: error?.code }
  }

  it('backups hold nothing that is not its own', async t => {
    const fates: Record<string, number> = {}
    for (let round = 0; round < WHOLE_ROUNDS; round += 1) {
      const { status, code = '' } = await ended((await api().backupCreate({ params })).job)
      const fate = `${status} ${code}`.trim()
      fates[fate] = (fates[fate] ?? 0) + 1
    }
    t.diagnostic(JSON.stringify(fates))
    const image = '$(docker images -q fleetpress/backup | head -n 1)'
    const found =
      await shell(`docker run --rm --network none --entrypoint bash -v ${REPOSITORY}:/r:ro --tmpfs /tmp ${image} -c '
      restic() { command restic -r /r --no-lock --no-cache --insecure-no-password "$@"; }
      for id in $(restic snapshots --json | grep -o "\\"short_id\\":\\"[^\\"]*" | cut -d\\" -f4); do
        restic dump $id /site/files/race | grep -ac ${SECRET}
      done | sort | uniq -c'`)
    assert.match(found, /^(\d+ 0)?$/, 'a backup has the secret of another')
    assert.equal(await shell('docker ps -a --format "{{.Names}}" | grep -c fleetpress-backup || true'), '0')
  })

  it('scans find nothing that is not its own', async t => {
    const before = await outside()
    for (let round = 0; round < WHOLE_ROUNDS; round += 1) await ended((await api().siteScanStart({ params })).job)
    const { items } = await api().findingList({ params, query: { status: 'all' } })
    t.diagnostic(`${items.length} findings`)
    assert.ok(items.some(({ path }) => path.startsWith('race/')))
    assert.doesNotMatch(JSON.stringify(items), FOREIGN)
    assert.equal(await outside(), before)
  })

  it('quarantine takes and restores nothing that is not its own', async t => {
    const work = house.panel.world.scope(systemActor('test'))
    const site = await getSite(house.panel.foundation.database.db, SLUG)
    const counts = { taken: 0, restored: 0 }
    const before = await outside()
    for (let round = 0; round < ROUNDS; round += 1) {
      const named = { id: `round-${round}`, path: `race/${1 + (round % PAIRS)}/dir/inner.php` }
      const moving = (act: typeof takeFile) =>
        act(work, site, named).then(
          () => true,
          (error: unknown) => assert.ok(error instanceof Problem, String(error)),
        )
      if (!(await moving(takeFile))) continue
      counts.taken += 1
      assert.match(await shell(`cat ${AROUND}/quarantine/${named.id}`), /inside/)
      // The folder may be exchanged for the link at that moment.
      for (let tries = 0; tries < 20 && !(await moving(restoreFile)); tries += 1);
      if ((await shell(`ls ${AROUND}/quarantine`)) === '') counts.restored += 1
      await shell(`rm -f ${AROUND}/quarantine/*`)
    }
    t.diagnostic(JSON.stringify(counts))
    assert.ok(counts.taken > 0 && counts.restored > 0, JSON.stringify(counts))
    await shell(`rmdir ${AROUND}/quarantine`)
    assert.equal(await outside(), before)
  })

  it('FTP and SFTP reach nothing that is not its own', async t => {
    using clients = new FtpClients()
    const { password } = await api().ftpUserCreate({ params, body: { username: 'ada' } })
    await until('Applying', async () => (await api().siteFtp({ params })).applied, JOB_MS)
    const login = { address: server.address, username: 'ada', password: password ?? '' }
    const before = await outside()
    let downloaded = 0
    for (let round = 0; round < WHOLE_ROUNDS; round += 1) {
      const commands = Array.from({ length: PAIRS }, (_, at) => [
        `-get race/${at + 1}/dir/inner.php down-${at}`,
        `-get race/${at + 1}/dir/passwd passwd-${at}`,
        `-put askpass race/${at + 1}/dir/up-${round}`,
      ]).flat()
      const session = clients.sftp(login, ...commands)
      const curled = clients.curl(login, `/race/${1 + (round % PAIRS)}/dir/inner.php`, '--ssl-reqd')
      const late = AbortSignal.timeout(SESSION_MS)
      const isLate = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason)))
      const said = (await Promise.race([Promise.all([session, curled]), isLate])).map(({ output }) => output)
      assert.doesNotMatch(said.join('\n'), FOREIGN)
      for (const name of readdirSync(clients.folder).filter(each => /^(?:down|passwd)-/.test(each))) {
        assert.doesNotMatch(readFileSync(join(clients.folder, name), 'utf8'), FOREIGN)
        rmSync(join(clients.folder, name))
        downloaded += 1
      }
    }
    t.diagnostic(`${downloaded} files came`)
    assert.ok(downloaded > 0)
    assert.equal(await outside(), before)
    assert.equal(await shell(`find /etc ${ROOTS} -name 'up-*'`), '')
  })
})
