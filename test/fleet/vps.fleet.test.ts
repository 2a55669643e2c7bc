import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listFleet, newFleetId } from './label.ts'
import { type Ended, run, tryRun } from './run.ts'
import { type Fleet, startFleet, type Vps, vps } from './vps.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetpress-fleet-'))
const keyFile = join(folder, 'key')
const limit = { timeout: 300_000 }
/** Long enough for a first image to be built. */
const buildLimit = { timeout: 15 * 60_000 }

const SSH_OPTIONS = ['BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'ConnectTimeout=3']

const sshWords = ({ address }: Vps, command: string): string[] => [
  ...SSH_OPTIONS.map(option => `-o${option}`),
  '-i',
  keyFile,
  `root@${address}`,
  command,
]

const ssh = (machine: Vps, command: string): Promise<Ended> => tryRun('ssh', sshWords(machine, command))

const read = async (machine: Vps, ...argv: string[]): Promise<string> => (await machine.exec(argv)).stdout.trim()

const bootId = (machine: Vps): Promise<string> => read(machine, 'cat', '/proc/sys/kernel/random/boot_id')

const firstOf = ({ servers }: Fleet): Vps => {
  const [first] = servers
  assert.ok(first)
  return first
}

const authorized = async (fleet: Fleet): Promise<Fleet> => {
  for (const machine of fleet.servers) await machine.authorize(readFileSync(`${keyFile}.pub`, 'utf8'))
  return fleet
}

/** A session that is open on the machine, and what it ends with. */
const openSession = async (machine: Vps): Promise<{ session: ChildProcess; ended: Promise<number | null> }> => {
  const session = spawn('ssh', sshWords(machine, 'echo open && sleep 60'))
  const ended = new Promise<number | null>(resolve => session.once('close', resolve))
  await new Promise(resolve => session.stdout.once('data', resolve))
  return { session, ended }
}

before(() => run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]))
after(() => rmSync(folder, { recursive: true, force: true }))

void describe('a blank VPS', () => {
  let fleet: Fleet
  let machine: Vps
  before(async () => {
    fleet = await authorized(await vps(2))
    machine = firstOf(fleet)
  }, buildLimit)
  after(() => fleet[Symbol.asyncDispose](), limit)

  void test('runs systemd and has neither Docker nor a password login', limit, async () => {
    assert.match(await read(machine, 'systemctl', 'is-system-running'), /^(running|degraded)$/)
    assert.match(await read(machine, 'cat', '/etc/os-release'), /VERSION_ID="12"/)
    assert.notEqual((await machine.exec(['sh', '-c', 'command -v docker'])).exitCode, 0)
    assert.match(await read(machine, '/usr/sbin/sshd', '-T'), /^passwordauthentication no$/m)
  })

  void test('lets in who holds an authorized key, and no one else', limit, async () => {
    const { exitCode, stdout } = await ssh(machine, 'id -u; hostname')
    assert.equal(exitCode, 0)
    assert.equal(stdout, '0\nvps1\n')
    await using strangers = await vps(1)
    const refused = await ssh(firstOf(strangers), 'true')
    assert.equal(refused.exitCode, 255)
    assert.match(refused.stderr, /Permission denied \(publickey\)/)
  })

  void test('has a host key and a machine id of its own', limit, async () => {
    for (const file of ['/etc/ssh/ssh_host_ed25519_key.pub', '/etc/machine-id']) {
      const found = await Promise.all(fleet.servers.map(one => read(one, 'cut', '-d', ' ', '-f', '1,2', file)))
      assert.ok(found.every(text => text !== ''))
      assert.equal(new Set(found).size, 2, file)
    }
  })

  void test('reaches the other by its address', limit, async () => {
    const other = fleet.servers[1]
    assert.ok(other)
    const { stdout } = await ssh(machine, `curl --silent --max-time 5 --http0.9 http://${other.address}:22 | head -c 8`)
    assert.equal(stdout, 'SSH-2.0-')
  })

  void test('installs packages', limit, async () => {
    const { exitCode, stderr } = await ssh(
      machine,
      'apt-get -qq update && apt-get -qq install -y tree && tree --version',
    )
    assert.equal(exitCode, 0, stderr)
  })

  void test(
    'cut off, it does not answer; reconnected, it is back at its address and open sessions continue',
    limit,
    async () => {
      const { session, ended } = await openSession(machine)
      await machine.cutOff()
      const { exitCode, stderr } = await ssh(machine, 'true')
      assert.equal(exitCode, 255)
      assert.match(stderr, /timed out/)
      assert.notEqual(
        (await machine.exec(['curl', '--max-time', '2', `http://${fleet.servers[1]?.address}:22`])).exitCode,
        0,
      )
      await machine.reconnect()
      assert.equal((await ssh(machine, 'hostname')).stdout, 'vps1\n')
      assert.equal(session.exitCode, null)
      session.kill()
      await ended
    },
  )

  void test('paused, it accepts connections but says nothing until it continues', limit, async () => {
    await machine.pause()
    const { exitCode, stderr } = await ssh(machine, 'true')
    assert.equal(exitCode, 255)
    assert.match(stderr, /timed out during banner exchange/)
    await machine.unpause()
    assert.equal((await ssh(machine, 'hostname')).stdout, 'vps1\n')
  })

  void test('rebooted, it has booted again and kept its files and host key', limit, async () => {
    const hostKey = await read(machine, 'cat', '/etc/ssh/ssh_host_ed25519_key.pub')
    const boot = await bootId(machine)
    await machine.exec(['sh', '-c', 'echo kept > /srv/kept; echo lost > /run/lost'])
    await machine.reboot()
    assert.notEqual(await bootId(machine), boot)
    assert.equal((await ssh(machine, 'cat /srv/kept; ls /run/lost')).stdout, 'kept\n')
    assert.equal(await read(machine, 'cat', '/etc/ssh/ssh_host_ed25519_key.pub'), hostKey)
  })

  void test('killed, it is gone until it is started', limit, async () => {
    const { ended } = await openSession(machine)
    await machine.kill()
    assert.equal((await ssh(machine, 'true')).exitCode, 255)
    await machine.start()
    assert.equal((await ssh(machine, 'cat /srv/kept')).stdout, 'kept\n')
    assert.equal(await ended, 255)
  })

  void test('with a full disk it takes not one byte more, until there is room again', limit, async () => {
    const write = 'dd if=/dev/zero of=/srv/more bs=4k count=1'
    await machine.fillDisk()
    assert.match((await ssh(machine, write)).stderr, /No space left on device/)
    assert.match((await ssh(machine, write.replace('/srv', '/var/lib/docker'))).stderr, /No space left on device/)
    await machine.freeDisk()
    assert.equal((await ssh(machine, write)).exitCode, 0)
  })

  void test('restarting sshd keeps open sessions, killing it ends them', limit, async () => {
    const { session, ended } = await openSession(machine)
    await machine.restartSshd()
    assert.equal((await ssh(machine, 'hostname')).stdout, 'vps1\n')
    assert.equal(session.exitCode, null)
    await machine.killSshd()
    assert.equal(await ended, 255)
    assert.equal((await ssh(machine, 'hostname')).stdout, 'vps1\n')
  })
})

void describe('a VPS with Docker', () => {
  void test('runs containers with limits, also after a reboot', buildLimit, async () => {
    await using fleet = await authorized(await vps(1, { docker: true }))
    const machine = firstOf(fleet)
    // The machine's own programs are image enough.
    const made = await ssh(machine, 'cd / && tar -c bin lib* usr/bin usr/lib* | docker import - itself')
    assert.equal(made.exitCode, 0, made.stderr)
    const runIt = 'docker run --rm --memory 64m --cpus 0.5 --pids-limit 20 --network none itself uname'
    assert.deepEqual(await ssh(machine, runIt).then(({ exitCode, stdout }) => [exitCode, stdout]), [0, 'Linux\n'])
    await machine.reboot()
    assert.equal((await ssh(machine, runIt)).stdout, 'Linux\n')
  })
})

void describe('fleets', () => {
  void test('of Debian 12 and 13 stand next to each other, and leave nothing behind', buildLimit, async () => {
    const fleets = await Promise.all([vps(1), vps(1, { suite: 'trixie' })])
    const [old, young] = fleets.map(firstOf)
    assert.ok(old && young)
    assert.match(await read(young, 'cat', '/etc/os-release'), /VERSION_ID="13"/)
    assert.match(await read(young, 'systemctl', 'is-system-running'), /^(running|degraded)$/)
    assert.notEqual(old.address.split('.')[2], young.address.split('.')[2])
    for (const { id } of fleets) assert.equal((await listFleet(id)).length, 3)
    await Promise.all(fleets.map(fleet => fleet[Symbol.asyncDispose]()))
    for (const { id } of fleets) assert.deepEqual(await listFleet(id), [])
  })

  void test('of a run that was killed are removed by the next, those of a run that lives are not', limit, async () => {
    const alive = newFleetId()
    const dead = alive.replace(/-\d+-/, '-1-')
    await startFleet(dead, 1)
    await using beside = await vps(1)
    assert.deepEqual(await listFleet(dead), [])
    await using third = await vps(1)
    assert.equal((await listFleet(beside.id)).length, 3)
    assert.equal((await listFleet(third.id)).length, 3)
  })
})
