import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { chown, mkdir, open, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { until } from '#test/fleet/until.ts'
import { FtpClients, type Login } from '#test/support/ftp-clients.ts'
import { guessByFtp, guessBySftp, TurnedAway } from '#test/support/ftp-guess.ts'
import { type LocalFtp, type LocalLogin, localFtp } from '#test/support/local-ftp.ts'
import { SOAK } from '#test/support/soak.ts'

const LIMIT_MS = 10 * 60_000
const MIB = 1024 ** 2
/** Of each protocol. */
const LOGINS = SOAK ? 1_000 : 12
const AT_ONCE = 4
const SMALL_FILES = SOAK ? 10_000 : 40
const LARGE_BYTES = SOAK ? 2_048 * MIB : 16 * MIB
const ENDED_WITHIN_MS = 2_000

const [OWN, FOREIGN] = [70_000, 70_001]
const ada: LocalLogin = { username: 'ada', password: 'right-for-ada', folder: '/sites/hello/html', uid: OWN }
const bea: LocalLogin = { ...ada, username: 'bea', password: 'right-for-bea', folder: '/sites/hello/html/drop' }

/** Exchanges the folder of a login with a link to another site, as fast as one processor can. */
const SWAPPER = `use Config; my $call = $Config{archname} =~ /aarch64/ ? 276 : 316;
my ($folder, $link) = ("drop", "away");
while (1) { syscall($call, -100, $folder, -100, $link, 2) }`

const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Refused, or not even heard. */
const tryBy = async (guess: typeof guessBySftp, login: Login): Promise<void> => {
  await guess(login).catch((error: unknown) => assert.ok(error instanceof TurnedAway, String(error)))
}

describe('the FTP service, without a panel', { timeout: SOAK ? 4 * 3_600_000 : 15 * 60_000 }, () => {
  let ftp: LocalFtp
  let html: string
  const clients = new FtpClients()
  before(async () => {
    // A thousand logins that the site refuses by its own doing must all be tried.
    ftp = await localFtp({ config: text => text.replace('BanEngine on', 'BanEngine off') })
    html = await ftp.makeSite('hello', OWN, { 'mine.txt': 'mine' })
    // Anyone on the server could read it, so nothing but the service itself keeps the login out.
    await ftp.makeSite('other', FOREIGN, { 'foreign.txt': 'foreign' })
    await ftp.apply([ada])
  })
  after(async () => {
    clients[Symbol.dispose]()
    await ftp?.[Symbol.asyncDispose]()
  })
  const as = (login: LocalLogin) => ({ ...login, address: ftp.address })
  const signIn = async () => assert.equal((await clients.sftp(as(ada), 'ls')).exitCode, 0)

  it('has the faster mod_sftp, unless this mirror has no source of it', async context => {
    const origin = await ftp.shell('cat /usr/lib/proftpd/mod_sftp.origin')
    context.diagnostic(origin.trim())
    assert.match(origin, /^(patched|packaged: no source of)/)
  })

  it('lets a login see nothing of another site while its folder is swapped for a link to it', async context => {
    await mkdir(join(html, 'drop'))
    await writeFile(join(html, 'drop', 'mine.txt'), 'mine')
    await symlink('/sites/other/html', join(html, 'away'))
    await chown(join(html, 'drop'), OWN, OWN)
    await ftp.apply([ada, bea])
    const swapper = spawn('perl', ['-e', SWAPPER], { cwd: html, uid: OWN, gid: OWN, stdio: 'inherit' })
    const ended = once(swapper, 'close')
    const seen = { own: 0, refused: 0, foreign: 0 }
    const looks = [() => clients.sftp(as(bea), 'ls -a'), () => clients.curl(as(bea), '/', '--ssl-reqd')]
    let left = LOGINS
    const look = async () => {
      for (; left > 0; left -= 1)
        for (const one of looks) {
          const { exitCode, output } = await one()
          if (output.includes('foreign')) seen.foreign += 1
          else if (exitCode === 0 && output.includes('mine.txt')) seen.own += 1
          else seen.refused += 1
        }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, look))
    assert.equal(swapper.exitCode, null)
    swapper.kill('SIGKILL')
    await ended
    context.diagnostic(JSON.stringify(seen))
    assert.equal(seen.foreign, 0)
    await signIn()
    await Promise.all(['drop', 'away'].map(name => rm(join(html, name), { recursive: true, force: true })))
  })

  it('continues what was cut off, in both directions and by both protocols', async () => {
    const whole = join(clients.folder, 'whole.bin')
    const writer = await open(whole, 'w')
    for (let at = 0; at < LARGE_BYTES; at += 8 * MIB) await writer.write(randomBytes(8 * MIB), 0, 8 * MIB, at)
    await writer.close()
    const expected = await sha256(whole)
    /** What has arrived of it so far. */
    const cut = async (file: string) => {
      await pipeline(
        createReadStream(whole, { end: Math.floor(LARGE_BYTES / 3) }),
        (await open(file, 'w')).createWriteStream(),
      )
      await chown(file, OWN, OWN)
    }
    const clientsOf = {
      sftp: (...words: string[]) => clients.sftp(as(ada), ...words),
      lftp: (...words: string[]) => clients.lftp(as(ada), ...words),
    }
    const words = { sftp: ['reput', 'reget'], lftp: ['put -c', 'get -c'] }
    for (const name of ['sftp', 'lftp'] as const) {
      const [put, get] = words[name]
      await cut(join(html, `${name}.bin`))
      const sent = await clientsOf[name](`${put} whole.bin ${name === 'lftp' ? '-o ' : ''}${name}.bin`)
      assert.equal(sent.exitCode, 0, sent.output)
      assert.equal(await sha256(join(html, `${name}.bin`)), expected)
      await cut(join(clients.folder, `${name}.bin`))
      const got = await clientsOf[name](`${get} ${name}.bin`)
      assert.equal(got.exitCode, 0, got.output)
      assert.equal(await sha256(join(clients.folder, `${name}.bin`)), expected)
      await rm(join(html, `${name}.bin`))
      await rm(join(clients.folder, `${name}.bin`))
    }
  })

  const isSame = async (one: string, other: string) => {
    const compared = spawn('diff', ['-r', one, other], { cwd: clients.folder, stdio: 'inherit' })
    assert.deepEqual(await once(compared, 'close'), [0, null])
  }

  it('takes many small files and gives them back', async () => {
    const from = join(clients.folder, 'many')
    await mkdir(from)
    for (let at = 0; at < SMALL_FILES; at += 1) await writeFile(join(from, `file ${at}.txt`), `content ${at}`)
    for (const protocol of ['sftp', 'ftp'] as const) {
      const up = await clients.rclone(as(ada), protocol, 'copy', '--transfers=4', 'many', `site:by-${protocol}`)
      assert.equal(up.exitCode, 0, up.output)
      assert.equal((await readdir(join(html, `by-${protocol}`))).length, SMALL_FILES)
      const down = await clients.rclone(
        as(ada),
        protocol,
        'copy',
        '--transfers=4',
        `site:by-${protocol}`,
        `back-${protocol}`,
      )
      assert.equal(down.exitCode, 0, down.output)
      await isSame('many', `back-${protocol}`)
    }
  })

  it('takes a folder whose place does not exist yet, by sftp and scp', async () => {
    const from = join(clients.folder, 'theme')
    await mkdir(join(from, 'parts', 'inner folder'), { recursive: true })
    for (const name of ['style.css', 'parts/a.bin', 'parts/inner folder/b.bin'])
      await writeFile(join(from, name), randomBytes(100_000))
    const sent = [
      await clients.sftp(as(ada), 'put -r theme by-put', 'put -r theme', 'mkdir in', 'put -r theme "in/by put/"'),
      await clients.scp(as(ada), 'theme', 'by-scp'),
      await clients.scp(as(ada), 'theme', 'in/by-scp'),
    ]
    for (const { exitCode, output } of sent) assert.equal(exitCode, 0, output)
    for (const name of ['by-put', 'theme', 'in/by put', 'by-scp', 'in/by-scp']) {
      await isSame('theme', join(html, name))
      for (const part of ['.', 'parts/inner folder', 'parts/inner folder/b.bin']) {
        const { uid, gid } = statSync(join(html, name, part))
        assert.deepEqual([uid, gid], [OWN, OWN])
      }
    }
  })

  it('tells nothing of a path that leads on behind a missing name or a link out of the folder', async () => {
    await symlink('/sites/other/html', join(html, 'out'))
    await symlink('../../../sites/other/html', join(html, 'up'))
    const paths = ['missing/new', 'mine.txt/new', 'out/new', 'out/foreign.txt', 'up/new', 'up/foreign.txt']
    const { output } = await clients.sftp(as(ada), ...paths.map(path => `put -r theme ${path}`))
    for (const path of paths) assert.ok(output.includes(`realpath /${path}: No such file`), output)
    // Neither is a name taken for a file because its path was asked for.
    const asked = await clients.sftp(as(ada), 'cd new', 'ls -l new', 'get new')
    assert.equal(asked.output.match(/No such file|not found/g)?.length, 3, asked.output)
    assert.ok(!existsSync(join(html, 'new')))
    await Promise.all(['out', 'up'].map(name => rm(join(html, name))))
  })

  /** Until it has read something; then it reads nothing any more. */
  const stall = async (client: ChildProcess, file: string) => {
    const closed = once(client, 'close')
    const path = join(clients.folder, file)
    await until('Reading', async () => existsSync(path) && statSync(path).size > 0, LIMIT_MS)
    client.kill('SIGSTOP')
    return async () => {
      client.kill('SIGKILL')
      await closed
      await rm(path)
    }
  }
  const stalledClients = async () => {
    const sftp = clients.openSftp(as(ada))
    sftp.stdin?.write('get large.bin by-sftp.bin\n')
    const words = ['-sk', '--ssl-reqd', '--limit-rate', '10M', '-o', 'by-ftp.bin', '-K', '-']
    const curl = spawn('curl', [...words, `ftp://${ftp.address}/large.bin`], { cwd: clients.folder })
    curl.stdin.end(`user = "${ada.username}:${ada.password}"\n`)
    const ends = [await stall(sftp, 'by-sftp.bin'), await stall(curl, 'by-ftp.bin')]
    await until('Signing in', async () => (await ftp.status()).sessions.ada === 2, LIMIT_MS)
    return async () => {
      for (const end of ends) await end()
    }
  }

  for (const [title, then] of [
    ['changed', [{ ...ada, revision: 2 }]],
    ['deleted', []],
  ] as const)
    it(`ends the sessions of a login that is ${title}, those of stalled clients too`, async context => {
      await truncate(join(html, 'mine.txt'), 0)
      await writeFile(join(html, 'large.bin'), '')
      await truncate(join(html, 'large.bin'), 2_048 * MIB)
      await chown(join(html, 'large.bin'), OWN, OWN)
      await ftp.apply([ada])
      const end = await stalledClients()
      const began = performance.now()
      await ftp.apply(then)
      const takenMs = performance.now() - began
      context.diagnostic(`within ${Math.round(takenMs)} ms`)
      assert.deepEqual((await ftp.status()).sessions, {})
      await end()
      if (SOAK) assert.ok(takenMs < ENDED_WITHIN_MS, `it took ${takenMs} ms`)
      await ftp.apply([ada])
    })

  it('ends a login at its second, without a panel', async () => {
    const expiresAt = Math.ceil(Date.now() / 1000) * 1000 + 6_000
    await ftp.apply([{ ...ada, expiresAt }])
    const client = clients.openSftp(as(ada))
    const closed = once(client, 'close')
    let wasOpen = false
    const isOver = async () => {
      const isOpen = (await ftp.status()).sessions.ada === 1
      const now = Date.now()
      assert.ok(isOpen || !wasOpen || now >= expiresAt, 'it ended too early')
      wasOpen ||= isOpen
      return !isOpen && now >= expiresAt
    }
    await until('Expiring', isOver, LIMIT_MS)
    client.stdin?.end('ls\n')
    assert.notEqual((await closed)[0], 0)
    assert.notEqual((await clients.sftp(as(ada), 'ls')).exitCode, 0)
    await ftp.apply([ada])
    await signIn()
  })

  it('writes no line that a name has made up, and takes no name for a session', async () => {
    const forged = '2026-01-01 00:00:00,000 host proftpd[1] 0.0.0.0: FORGED'
    const names = [`x\n${forged}`, `x\r\n${forged}`, `ada - ${forged}`, `\u001b[2J${forged}`]
    for (const username of names) await tryBy(guessBySftp, { ...as(ada), username, password: 'wrong' })
    await tryBy(guessByFtp, { ...as(ada), username: `x\r${forged}`, password: 'wrong' })
    const log = await ftp.log()
    assert.doesNotMatch(log, /^[^\n]{0,10}2026-01-01 00:00:00/m)
    assert.doesNotMatch(log, /\u001b/)
    assert.deepEqual((await ftp.status()).sessions, {})
  })

  it('closes the door after ten wrong passwords, to the address they came from', async () => {
    await using strict = await localFtp()
    await strict.makeSite('hello', OWN, {})
    await strict.apply([ada])
    const login = { ...ada, address: strict.address }
    const wrong = { ...login, password: 'wrong' }
    for (const guess of [guessBySftp, guessByFtp]) {
      await Promise.all(Array.from({ length: 8 }, () => guess(wrong)))
      await guess({ ...wrong, username: 'nobody' })
      const right = guess === guessBySftp ? clients.sftp(login, 'ls') : clients.curl(login, '/', '--ssl-reqd')
      assert.equal((await right).exitCode, 0)
      await tryBy(guess, wrong)
      await assert.rejects(guess(wrong), TurnedAway)
    }
    assert.notEqual((await clients.sftp(login, 'ls')).exitCode, 0)
    const greeting = (port: number) =>
      `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("127.0.0.1:${port}")->getline'`
    assert.match(await strict.shell(greeting(21)), /^220 /)
    assert.match(await strict.shell(greeting(2222)), /^SSH-2\.0/)
  })
})
