import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Duplex, duplexPair, PassThrough, Readable } from 'node:stream'
import { after, afterEach, before, describe, it } from 'node:test'
import { pack } from 'tar-stream'
import { exec } from '#platform/host/command.ts'
import { HostTimeout, OutputTooLarge } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Docker, DockerError } from './client.ts'
import type { ContainerSpec } from './container-spec.ts'
import {
  findContainer,
  killContainer,
  listContainers,
  readLogs,
  removeContainer,
  restartContainer,
  startContainer,
  stopContainer,
} from './containers.ts'
import { readEngine } from './engine.ts'
import { ensureContainer, updateLimits, waitHealthy } from './ensure-container.ts'
import { execIn } from './exec.ts'
import {
  buildImage,
  findImage,
  importImage,
  loadImages,
  pullImage,
  removeImage,
  saveImages,
  tagImage,
} from './images.ts'
import { ensureNetwork, findNetwork, listNetworks, removeNetwork } from './networks.ts'

const unique = `fptest${randomBytes(4).toString('hex')}`
const labels = { 'fleetpress.test': unique }
const image = `${unique}/busybox:1`
const name = `${unique}-a`
const docker = new Docker(new LocalHost())
const limits = { memoryBytes: 64 * 1024 * 1024, cpus: 0.5, pids: 32 }

const spec: ContainerSpec = {
  name,
  image,
  command: ['/bin/busybox', 'sh', '-c', 'echo out; echo err >&2; trap exit TERM; while :; do busybox sleep 0.1; done'],
  user: '33:33',
  readOnly: true,
  network: 'none',
  limits,
  labels,
  restart: 'no',
  init: true,
  stopTimeoutSeconds: 2,
}

/** A root folder with nothing but busybox and the libraries it wants. */
const busybox = async () => {
  const { stdout } = await new LocalHost().run(exec('ldd', '/bin/busybox'))
  const tar = pack()
  for (const path of ['/bin/busybox', ...(stdout.match(/\/\S+/g) ?? [])]) {
    tar.entry({ name: path.slice(1), mode: 0o755 }, await readFile(path))
  }
  tar.entry({ name: 'bin/sh', type: 'symlink', linkname: 'busybox' })
  tar.entry({ name: 'tmp', type: 'directory', mode: 0o1777 })
  tar.finalize()
  return Readable.from(tar)
}

const context = (dockerfile: string) => {
  const tar = pack()
  tar.entry({ name: 'Dockerfile' }, dockerfile)
  tar.finalize()
  return Readable.from(tar)
}

const removeAll = async () => {
  for (const { id } of await listContainers(docker, labels)) await removeContainer(docker, id)
  for (const { id } of await listNetworks(docker, labels)) await removeNetwork(docker, id)
}

const get = async () => {
  const found = await findContainer(docker, name)
  assert.ok(found)
  return found
}

void describe('the Docker driver', { timeout: 300_000 }, () => {
  before(async () => {
    await importImage(docker, await busybox(), { tag: image })
  })
  afterEach(removeAll)
  after(() => removeImage(docker, image))

  void it('tells what the engine is', async () => {
    const engine = await readEngine(docker)
    assert.match(engine.version, /^\d+\./)
    assert.ok(engine.cpus > 0 && engine.memoryBytes > 0)
  })

  void it('finds nothing where nothing is, and removing it is harmless', async () => {
    assert.equal(await findContainer(docker, `${unique}-none`), undefined)
    assert.equal(await findImage(docker, `${unique}/none:1`), undefined)
    assert.equal(await findNetwork(docker, `${unique}-none`), undefined)
    await removeContainer(docker, `${unique}-none`)
    await removeImage(docker, `${unique}/none:1`)
    await removeNetwork(docker, `${unique}-none`)
  })

  void it('refuses names that point elsewhere', async () => {
    for (const hostile of ['', '.', '..', '../images', 'a/../../info', 'a?b=c', 'a#b', 'a b', '%2e%2e', 'a\nb', '-a']) {
      await assert.rejects(findContainer(docker, hostile), { status: 400 })
      await assert.rejects(removeImage(docker, hostile), { status: 400 })
    }
  })

  void it('makes a container once, and starts it again when it stopped', async () => {
    assert.equal(await ensureContainer(docker, spec), 'created')
    const first = await get()
    assert.equal(first.state, 'running')
    assert.deepEqual(first.limits, limits)
    assert.equal(await ensureContainer(docker, spec), 'none')
    assert.equal((await get()).startedAtMs, first.startedAtMs)
    await stopContainer(docker, name, { timeoutSeconds: 2 })
    assert.equal((await get()).state, 'exited')
    assert.equal(await ensureContainer(docker, spec), 'started')
    assert.equal((await get()).id, first.id)
    assert.deepEqual(
      (await listContainers(docker, labels)).map(found => found.name),
      [name],
    )
  })

  void it('makes a new container for a changed specification, but changes limits in place', async () => {
    await ensureContainer(docker, spec)
    const { id, pid } = await get()
    const more = { memoryBytes: 128 * 1024 * 1024, cpus: 1, pids: 64 }
    assert.equal(await ensureContainer(docker, { ...spec, limits: more }), 'limits')
    const widened = await get()
    assert.deepEqual([widened.id, widened.pid, widened.limits], [id, pid, more])
    await updateLimits(docker, name, limits)
    assert.deepEqual((await get()).limits, limits)
    assert.equal(await ensureContainer(docker, { ...spec, env: { A: '1' } }), 'recreated')
    assert.notEqual((await get()).id, id)
    assert.equal((await execIn(docker, name, ['/bin/sh', '-c', 'echo $A'])).stdout, '1\n')
  })

  void it('leaves the old container running when the new one is refused', async () => {
    await ensureContainer(docker, spec)
    const { id } = await get()
    const broken = { ...spec, mounts: [{ source: `/tmp/${unique}/none`, target: '/x' }] }
    await assert.rejects(ensureContainer(docker, broken), DockerError)
    await assert.rejects(ensureContainer(docker, { ...spec, image: `${unique}/none:1` }), { status: 404 })
    const still = await get()
    assert.deepEqual([still.id, still.state], [id, 'running'])
  })

  void it('does not touch a container of that name that is not its own', async () => {
    const body = { Image: image, Cmd: ['/bin/busybox', 'true'], Labels: labels }
    await docker.send({ method: 'POST', path: '/containers/create', query: { name }, body })
    const { id } = await get()
    await assert.rejects(ensureContainer(docker, spec), { status: 409 })
    assert.equal((await get()).id, id)
  })

  void it('isolates as it says', async () => {
    const tmpfs = [{ target: '/run', sizeBytes: 1_048_576, uid: 33, gid: 33 }]
    await ensureContainer(docker, { ...spec, tmpfs })
    const { stdout } = await execIn(docker, name, ['/bin/sh', '-c', 'busybox id; busybox cat /proc/self/status'])
    assert.match(stdout, /uid=33 gid=33/)
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      assert.match(stdout, new RegExp(`${set}:\\s+0+\n`))
    assert.match(stdout, /NoNewPrivs:\s+1/)
    const touched = await execIn(docker, name, ['/bin/sh', '-c', 'echo x > /run/a && echo x > /tmp/a'])
    assert.equal(touched.exitCode, 1)
    assert.match(touched.stderr, /\/tmp\/a: Read-only file system/)
  })

  void it('starts, restarts, signals and shows what was written', async () => {
    await ensureContainer(docker, spec)
    const { startedAtMs } = await get()
    await restartContainer(docker, name, { timeoutSeconds: 1 })
    assert.ok((await get()).startedAtMs > startedAtMs)
    await killContainer(docker, name, 'SIGKILL')
    await assert.rejects(waitHealthy(docker, name, { timeoutMs: 5_000 }), /ended with exit code 137/)
    await startContainer(docker, name)
    const lines = (await readLogs(docker, name)).split('\n')
    assert.ok(lines.includes('out') && lines.includes('err'), lines.join())
    assert.equal((await readLogs(docker, name, { lines: 1 })).trim().split('\n').length, 1)
  })

  void it('is healthy as soon as its own check says so', async () => {
    const command = ['/bin/sh', '-c', 'busybox sleep 1; echo ok > /run/ready; while :; do busybox sleep 0.1; done']
    const healthcheck = {
      command: ['/bin/busybox', 'cat', '/run/ready'],
      intervalMs: 600_000,
      timeoutMs: 1_000,
      retries: 1,
    }
    const tmpfs = [{ target: '/run', sizeBytes: 1_048_576 }]
    await ensureContainer(docker, { ...spec, command, healthcheck, tmpfs })
    await assert.rejects(waitHealthy(docker, name, { timeoutMs: 0 }), (error: DockerError) => {
      assert.match(error.message, /not healthy after 0 ms/)
      assert.match(error.output, /No such file/)
      return true
    })
    await waitHealthy(docker, name, { timeoutMs: 10_000 })
    await assert.rejects(waitHealthy(docker, `${unique}-none`), { status: 404 })
  })

  void it('is asked through a stream that is not a socket', async () => {
    const sockets: Duplex[] = []
    const forwarded: Host = Object.assign(Object.create(new LocalHost()) as Host, {
      dial: async (...words: Parameters<Host['dial']>) => {
        const socket = await new LocalHost().dial(...words)
        const [near, far] = duplexPair()
        socket.pipe(far).pipe(socket)
        sockets.push(socket)
        return near
      },
    })
    const other = new Docker(forwarded)
    for (let turn = 0; turn < 20; turn += 1) await readEngine(other)
    assert.equal(sockets.length, 1)
    await ensureContainer(other, spec)
    const echoed = await execIn(other, name, ['/bin/busybox', 'cat'], { stdin: 'through' })
    assert.deepEqual(echoed, { exitCode: 0, stdout: 'through', stderr: '' })
    for (const socket of sockets) socket.destroy()
  })

  void it('knows what passes: an engine that comes back starts containers by itself', () => {
    const said = (status: number, output: string) => new DockerError(status, 'refused', output).isPassing
    assert.ok(said(500, 'Cannot restart container x: task 2782: already exists'))
    assert.ok(said(409, 'Container 2782 is restarting, wait until the container is running'))
    assert.ok(said(503, ''))
    assert.ok(!said(409, 'container 2782 is not running'))
    assert.ok(!said(500, 'no space left on device'))
  })

  void it('stops waiting when told to', async () => {
    const reason = new Error('enough')
    await assert.rejects(readEngine(docker, { signal: AbortSignal.abort(reason) }), error => error === reason)
    const healthcheck = { command: ['/bin/busybox', 'false'], intervalMs: 600_000, timeoutMs: 1_000, retries: 1 }
    await ensureContainer(docker, { ...spec, healthcheck })
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 300)
    await assert.rejects(waitHealthy(docker, name, { signal: controller.signal }), error => error === reason)
  })

  void describe('execIn', () => {
    const sh = (script: string, options = {}) => execIn(docker, name, ['/bin/sh', '-c', script], options)

    void it('keeps both outputs and the exit code', async () => {
      await ensureContainer(docker, spec)
      assert.deepEqual(await sh('echo a; echo b >&2; exit 3'), { exitCode: 3, stdout: 'a\n', stderr: 'b\n' })
      const words = ["it's", '$(id)', 'a b', '', '-x']
      const { stdout } = await execIn(docker, name, ['/bin/busybox', 'printf', '%s\\n', ...words])
      assert.deepEqual(stdout.split('\n'), [...words, ''])
      assert.notEqual((await execIn(docker, name, ['/no/such'])).exitCode, 0)
    })

    void it('carries 20 MB in and out unchanged', async () => {
      await ensureContainer(docker, spec)
      const text = 'x'.repeat(20_000_000)
      const stdin = Readable.from([text.slice(0, 7), text.slice(7)])
      const { stdout } = await execIn(docker, name, ['/bin/busybox', 'cat'], { stdin, maxOutputBytes: 21_000_000 })
      assert.ok(stdout === text)
    })

    void it('ends with a program that does not read its input', async () => {
      await ensureContainer(docker, spec)
      const { exitCode } = await sh('exit 4', { stdin: Readable.from(['x'.repeat(5_000_000)]) })
      assert.equal(exitCode, 4)
    })

    void it('fails when its input fails, and leaves nothing running', async () => {
      await ensureContainer(docker, spec)
      for (const afterMs of [0, 10, 30, 60, 200]) {
        const stdin = new PassThrough()
        setTimeout(() => stdin.destroy(new Error('the source broke')), afterMs)
        await assert.rejects(sh('busybox cat; busybox sleep 77', { stdin }), /the source broke/)
      }
      assert.doesNotMatch((await sh('busybox ps')).stdout, /sleep 77/)
    })

    void it('ends a program that takes too long or says too much, with what it started', async () => {
      await ensureContainer(docker, spec)
      await assert.rejects(sh('busybox sleep 77 & busybox sleep 77', { timeoutMs: 500 }), HostTimeout)
      await assert.rejects(sh('busybox yes; busybox sleep 77', { maxOutputBytes: 1_000_000 }), OutputTooLarge)
      const controller = new AbortController()
      const reason = new Error('enough')
      setTimeout(() => controller.abort(reason), 300)
      await assert.rejects(sh('busybox sleep 77', { signal: controller.signal }), error => error === reason)
      assert.doesNotMatch((await sh('busybox ps')).stdout, /sleep 77|busybox yes/)
    })
  })

  void describe('images', () => {
    void it('builds with arguments and labels, and says what it does', async () => {
      const tag = `${unique}/built:1`
      const lines: string[] = []
      const dockerfile = `FROM ${image}\nARG WORD\nRUN ["/bin/sh", "-c", "echo built $WORD"]\n`
      const buildArgs = { WORD: 'here' }
      await buildImage(docker, context(dockerfile), { tag, buildArgs, labels, onLine: line => lines.push(line) })
      assert.ok(lines.includes('built here'), lines.join('\n'))
      const found = await findImage(docker, tag)
      assert.equal(found?.labels['fleetpress.test'], unique)
      await removeImage(docker, tag)
      assert.equal(await findImage(docker, tag), undefined)
    })

    void it('fails with the reason when a build fails', async () => {
      const dockerfile = `FROM ${image}\nRUN ["/bin/sh", "-c", "exit 9"]\n`
      const built = buildImage(docker, context(dockerfile), { tag: `${unique}/broken:1` })
      await assert.rejects(built, error => error instanceof DockerError && /non-zero code: 9/.test(error.output))
      const unreadable = buildImage(docker, context('NONSENSE'), { tag: `${unique}/broken:1` })
      await assert.rejects(unreadable, DockerError)
    })

    void it('stops a build that is cancelled', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const dockerfile = `FROM ${image}\nRUN ["/bin/busybox", "sleep", "78"]\n`
      const onLine = (line: string) => void (line.includes('sleep') && setTimeout(() => controller.abort(reason), 500))
      const started = Date.now()
      const options = { tag: `${unique}/slow:1`, onLine, signal: controller.signal }
      await assert.rejects(buildImage(docker, context(dockerfile), options), error => error === reason)
      assert.ok(Date.now() - started < 70_000, 'it did not wait for the build')
    })

    void it('saves and loads', async () => {
      const tag = `${unique}/copy:1`
      await tagImage(docker, image, tag)
      const id = (await findImage(docker, tag))?.id
      const chunks: Buffer[] = []
      for await (const chunk of await saveImages(docker, [tag])) chunks.push(chunk as Buffer)
      await removeImage(docker, tag)
      assert.equal(await findImage(docker, tag), undefined)
      await loadImages(docker, Readable.from(chunks))
      assert.equal((await findImage(docker, tag))?.id, id)
      await removeImage(docker, tag)
      await assert.rejects(loadImages(docker, Readable.from([Buffer.from('no tar')])), DockerError)
    })

    void it('says that no registry has an image', async () => {
      const started = Date.now()
      assert.equal(await pullImage(docker, `localhost:1/${unique}:1`, { answerTimeoutMs: 3_000 }), false)
      assert.ok(Date.now() - started < 60_000)
    })
  })

  void it('makes a network once, with the subnet asked for, and containers get their address', async () => {
    const third = randomBytes(1)[0] ?? 0
    const network = { name: `${unique}-net`, subnet: `10.213.${third}.0/29`, gateway: `10.213.${third}.1`, labels }
    const made = await ensureNetwork(docker, network)
    assert.equal((await ensureNetwork(docker, network)).id, made.id)
    const taken = ensureNetwork(docker, { ...network, name: `${unique}-other` })
    await assert.rejects(
      taken,
      new RegExp(`^DockerError: The Docker network ${network.name} uses ${network.subnet}\\.`),
    )
    const inside = await ensureNetwork(docker, { ...network, internal: true })
    assert.notEqual(inside.id, made.id)
    assert.equal(inside.internal, true)
    const ip = `10.213.${third}.2`
    await ensureContainer(docker, { ...spec, network: { name: network.name, ip } })
    assert.deepEqual((await get()).addresses, { [network.name]: ip })
    await assert.rejects(ensureNetwork(docker, network), DockerError)
    await assert.rejects(removeNetwork(docker, network.name), DockerError)
    await removeContainer(docker, name)
    await removeNetwork(docker, network.name)
    assert.equal(await findNetwork(docker, network.name), undefined)
  })
})
