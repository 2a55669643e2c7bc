import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { ask } from '#test/support/move/visitors.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const TREES = Number(process.env.FLEETPRESS_TREES ?? 50)
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const TREE = `${HTML}/wp-content/uploads/tree`
const MARIADB = `docker exec -i --user root fleetpress-database mariadb -N wp_${SLUG}`

/** Every run of the same number makes the same tree: folders, files, holes, links of both kinds, any byte in names. */
const GROW = `use strict; srand($ARGV[0]); my $root = $ARGV[1]; my $many = $ARGV[2];
mkdir $root; my @folders = ($root); my @files;
sub name { join '', map { my $c = 1 + int rand 255; $c = 65 if $c == 47; chr $c } 1 .. 1 + int rand 40 }
sub fresh { for (1 .. 100) { my $path = $folders[rand @folders] . '/' . name(); return $path unless -e $path || -l $path || $path =~ m{/\\.{1,2}$} } die }
for my $at (1 .. $many) {
  my $path = fresh(); my $kind = int rand 20;
  if ($kind == 0 && @folders < 200) { mkdir $path; push @folders, $path if length $path < 2000; next }
  if ($kind == 1) { symlink name(), $path; next }
  if ($kind == 2 && @files) { link $files[rand @files], $path; next }
  open my $file, '>', $path or next;
  if ($kind == 3) { seek $file, int rand 5e6, 0; print $file 'end' }
  else { print $file pack('L*', map { int rand 4294967295 } 1 .. int rand(rand(10) < 1 ? 20000 : 50)) }
  close $file; chmod int(rand 4096), $path; push @files, $path;
}
for my $byte (1 .. 255) { next if $byte == 47; open my $file, '>', "$root/byte-" . chr $byte or die; print $file $byte }
utime 1e9 + rand 1e8, 1e9 + rand 1e8, $_ for @files;
chmod int(rand 8) * 64 + 7, $_ for reverse @folders[1 .. $#folders];`
const LIST = `cd ${TREE} && { find . -mindepth 1 -type d -printf '%P d %m %U %G\\0' -o -printf '%P %y %m %U %G %T@ %s %l %n\\0' | sort -z; find . -type f -print0 | sort -z | xargs -0r sha256sum -z; } | sha256sum`
const SPARSE = `truncate -s 4G ${TREE}/holes && printf end >> ${TREE}/holes`
/** Two rows at once, about two hundred times a second. */
const WRITER = `yes "start transaction; insert into one (t) values ('x'); insert into two (t) values ('x'); commit; do sleep(0.003);" | timeout 3600 ${MARIADB}`

describe('trees of all kinds', { timeout: 4 * 3_600_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const api = () => house.panel.as('full')
  const shell = async (script: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, stderr)
    return stdout
  }

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(`echo '<?php' > ${HTML}/wp-cron.php; mkdir -p ${HTML}/wp-content/uploads`)
    await shell(MARIADB, 'create table one (id int auto_increment primary key, t text); create table two like one')
  })
  after(() => house?.[Symbol.asyncDispose]())

  for (let at = 0; at < TREES; at += 1)
    it(`tree ${at} comes back as it was, and so does a database that is written to`, async () => {
      const many = at === 0 ? 100_000 : 500
      await shell(`rm -rf ${TREE} && perl - ${at} ${TREE} ${many}`, GROW)
      if (at === 1) await shell(SPARSE)
      await shell(`chown -hR 70000:70000 ${TREE}`)
      const before = await shell(LIST)
      const writing = server.exec(['bash', '-c', WRITER])
      const { job } = await api().backupCreate({ params, body: {} })
      const hostname = `${SLUG}.${server.name}.localhost`
      assert.equal((await ask({ address: server.address, hostname, path: '/' })).status, 200)
      const { backupId } = (await house.succeeded(job.id)) as { backupId: string }
      await shell('pkill -x yes || true')
      await writing
      await shell(`rm -rf ${TREE}`)
      const restored = await api().backupRestore({ params: { id: backupId }, body: { skipSafetyCopy: true } })
      await house.succeeded(restored.job.id)
      assert.equal(await shell(LIST), before)
      const [one, two] = (await shell(MARIADB, 'select count(*) from one; select count(*) from two')).trim().split('\n')
      assert.equal(one, two)
      await house.succeeded((await api().backupBulkDelete({ body: { ids: [backupId] } })).job.id)
    })
})
