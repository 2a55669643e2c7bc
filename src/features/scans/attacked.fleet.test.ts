import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { type LocalScanner, localScanner } from '#test/support/local-scanner.ts'
import { SOAK } from '#test/support/soak.ts'
import { hostileFiles } from './scan/hostile-files.ts'
import { scannerSpec } from './scan/scanner.ts'

const KIB = 1024
const SHELL = '<?php eval($_POST[1]);'
/** Of each kind of costly file; what is compressed becomes a thousand times as large. */
const BYTES = SOAK ? 1024 * KIB : 16 * KIB
const ROUNDS = SOAK ? 10_000 : 60
const MANY_FILES = SOAK ? 1_000_000 : 3_000
const RACE_MS = SOAK ? 6 * 3_600_000 : 10 * 60_000

/** Around a site: links out of it, pipes, a file that is larger than anything is read, and folders without an end. */
const SURROUND = `set -e
mkfifo pipe.php; ln -s /etc/passwd link.php; ln -s . loop; ln -s /etc away; ln -s link2.php link2.php
truncate -s 2G huge.php; printf '%s' "$0" >> huge.php
deep=.; for n in $(seq 260); do deep=$deep/d; done; mkdir -p "$deep"; printf '%s' "$0" > "$deep/shell.php"`

/** A file in every name that there can be. */
const NAMES = `import os, sys
for byte in range(1, 256):
    if byte != 47: open(b'name-%c.php' % byte, 'wb').write(sys.argv[1].encode())`

const MANY = `import os, sys
for n in range(int(sys.argv[1])):
    if n % 1000 == 0: os.mkdir('f%d' % n); where = 'f%d' % n
    open('%s/%d.php' % (where, n), 'w').close()`

/** Changes files for as long as they are read: longer, shorter, gone, another kind. */
const CHANGE = `cd "$0" && while [ -e . ]; do
  head -c 3000000 /dev/zero > moving.php; printf '%s' "$1" > moving.php; rm -f moving.php; mkdir moving.php; rmdir moving.php
  ln -s /etc/passwd moving.php; rm -f moving.php; mkfifo moving.php; rm -f moving.php
done 2> /dev/null`

/**
 * Takes a file out of a site and back, again and again, while the site swaps its folder for links that lead out. Says how
 * often that was done, how often it was refused, and how often something else was moved.
 */
const RACE =
  `cd /around/html && mkdir -p in/dir /around/dir && printf inside > in/dir/passwd && printf secret > /around/dir/passwd
ln -s /etc in/away && ln -s ../../dir in/near && chmod 640 in/dir/passwd && touch -d @1577934245 in/dir/passwd
perl -e 'my ($dir, $away, $near) = ("in/dir", "in/away", "in/near"); while (1) { syscall(SYS, -100, $dir, -100, $away, 2); syscall(SYS, -100, $dir, -100, $near, 2) }' &
taken=0 refused=0 wrong=0
ask='{"id":"kept","path":"in/dir/passwd","uid":70000,"gid":70000}'
for round in $(seq "$0"); do
  case $(printf %s "$ask" | site-scan take) in
    *'"done"'*)
      taken=$((taken + 1))
      [ "$(cat /around/quarantine/kept)" = inside ] || wrong=$((wrong + 1))
      until printf %s "$ask" | site-scan restore | grep -q '"done"'; do :; done ;;
    *) refused=$((refused + 1)) ;;
  esac
done
kill $! && wait $! 2> /dev/null
for place in in/dir in/away in/near; do [ -L $place ] || stat -c '%a %Y %s' $place/passwd; done
cat /around/dir/passwd; printf ' '; head -c 4 /etc/passwd; echo
echo "$taken $refused $wrong"`.replaceAll('SYS', process.arch === 'arm64' ? '276' : '316')

describe('the scanner, attacked', { timeout: RACE_MS + 30 * 60_000, concurrency: 1 }, () => {
  let scanner: LocalScanner
  before(async () => {
    scanner = await localScanner()
  })
  after(() => scanner?.[Symbol.asyncDispose]())

  const folderOf = async (name: string) => {
    const folder = join(scanner.folder, name)
    await mkdir(folder)
    return folder
  }

  it('ends within its limits, whatever files are made of, and says what it left out', async t => {
    const site = await folderOf('costly')
    for (const [name, content] of Object.entries(hostileFiles(BYTES))) {
      await mkdir(dirname(join(site, name)), { recursive: true })
      await writeFile(join(site, name), content)
    }
    await writeFile(join(site, 'shell.php'), SHELL)
    const startedAt = performance.now()
    const { found, summary } = await scanner.scan(site)
    t.diagnostic(`${summary.files} files in ${Math.round(performance.now() - startedAt)} ms`)
    t.diagnostic(JSON.stringify(summary.leftOut))
    assert.equal(summary.complete, true)
    const confirmed = new Set(found.filter(({ severity }) => severity === 'confirmed').map(({ path }) => path))
    assert.ok(confirmed.has('shell.php') && found.some(({ path }) => path === 'nested.php'))
  })

  it('follows no link, waits for no pipe, and knows every name', async () => {
    const site = await folderOf('names')
    const at = { cwd: site }
    execFileSync('bash', ['-c', SURROUND, SHELL], at)
    execFileSync('python3', ['-c', NAMES, SHELL], at)
    const { found, summary } = await scanner.scan(site)
    const confirmed = new Set(found.filter(({ severity }) => severity === 'confirmed').map(({ path }) => path))
    assert.equal([...confirmed].filter(path => path.startsWith('name-')).length, 254)
    assert.ok(confirmed.has('huge.php') && confirmed.has('name-\\x0a.php') && confirmed.has('name-\\xff.php'))
    assert.ok(!found.some(({ path }) => /link|pipe|away|loop/.test(path)))
    assert.deepEqual(
      Object.values(summary.leftOut).map(({ files }) => files),
      [1, 1],
    )
  })

  it('reads files that change while they are read', async () => {
    const site = await folderOf('moving')
    await writeFile(join(site, 'shell.php'), SHELL)
    const changing = new AbortController()
    const child = spawn('bash', ['-c', CHANGE, site, SHELL], { stdio: 'ignore', signal: changing.signal })
    child.on('error', () => {})
    try {
      for (let round = 0; round < (SOAK ? 50 : 2); round += 1) {
        const { found, summary } = await scanner.scan(site)
        assert.ok(summary.complete && found.some(({ path }) => path === 'shell.php'))
      }
    } finally {
      changing.abort()
    }
  })

  it('stops at the number of files and at the time that it was given', async () => {
    const site = await folderOf('many')
    execFileSync('python3', ['-c', MANY, String(MANY_FILES)], { cwd: site })
    const all = await scanner.scan(site)
    assert.deepEqual([all.summary.files, all.summary.complete], [MANY_FILES, true])
    for (const limit of [{ maxFiles: MANY_FILES / 2 }, { maxSeconds: 0 }]) {
      const { summary } = await scanner.scan(site, limit)
      assert.ok(!summary.complete && summary.files <= MANY_FILES / 2)
      assert.ok(Object.keys(summary.leftOut).some(reason => /time or the number/.test(reason)))
    }
  })

  it('moves nothing else than the file, and gives it back as it was', async t => {
    const around = await folderOf('around')
    await mkdir(join(around, 'html'))
    const docker = dockerOf(scanner.host)
    const view = { image: scanner.image, user: '0:0', mounts: [{ source: around, target: '/around' }] }
    const capAdd = ['DAC_OVERRIDE', 'CHOWN', 'FOWNER']
    const spec = scannerSpec({ slug: 'race', purpose: `${process.pid}`, ...view, capAdd })
    try {
      await ensureContainer(docker, spec)
      const words = ['bash', '-c', RACE, String(ROUNDS)] as const
      const { exitCode, stdout, stderr } = await execIn(docker, spec.name, words, { timeoutMs: RACE_MS })
      assert.equal(exitCode, 0, stderr)
      const [file, others, counts = ''] = stdout.trim().split('\n')
      const [taken, refused, wrong] = counts.split(' ').map(Number)
      t.diagnostic(`${taken} times moved and restored, ${refused} times refused`)
      assert.deepEqual([file, others, wrong], ['640 1577934245 6', 'secret root', 0])
      assert.ok(taken && taken > ROUNDS / 20, counts)
    } finally {
      await dropContainer(docker, spec.name)
    }
  })
})
