import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ContainerSpec, specHash, specToCreateBody } from './container-spec.ts'

const spec: ContainerSpec = {
  name: 'site-1',
  image: 'fleetpress/site:8.4-0123456789ab',
  command: ['serve'],
  user: '33:33',
  readOnly: true,
  mounts: [
    { source: '/srv/fleetpress/sites/1/html', target: '/var/www/html' },
    { source: '/srv/fleetpress/run/mysqld', target: '/run/mysqld', readOnly: true },
  ],
  tmpfs: [{ target: '/run', sizeBytes: 1_048_576, uid: 33, gid: 33, mode: 0o755 }],
  capAdd: ['NET_BIND_SERVICE', 'CHOWN'],
  network: { name: 'site-1', ip: '10.77.0.2' },
  limits: { memoryBytes: 268_435_456, cpus: 1.5, pids: 128 },
  env: { B: '2', A: '1' },
  labels: { 'fleetpress.site': '1' },
  healthcheck: { command: ['healthcheck'], intervalMs: 60_000, timeoutMs: 5_000, retries: 3 },
  restart: 'unless-stopped',
  stopTimeoutSeconds: 20,
  init: true,
}

const golden = {
  Image: 'fleetpress/site:8.4-0123456789ab',
  Cmd: ['serve'],
  User: '33:33',
  Env: ['A=1', 'B=2'],
  Labels: { 'fleetpress.site': '1', 'fleetpress.spec': specHash(spec) },
  Healthcheck: { Test: ['CMD', 'healthcheck'], Interval: 60_000_000_000, Timeout: 5_000_000_000, Retries: 3 },
  StopTimeout: 20,
  HostConfig: {
    Memory: 268_435_456,
    MemorySwap: 268_435_456,
    NanoCpus: 1_500_000_000,
    PidsLimit: 128,
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    CapAdd: ['CHOWN', 'NET_BIND_SERVICE'],
    SecurityOpt: ['no-new-privileges'],
    IpcMode: 'private',
    Init: true,
    RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 },
    Mounts: [
      {
        Type: 'bind',
        Source: '/srv/fleetpress/sites/1/html',
        Target: '/var/www/html',
        ReadOnly: false,
        BindOptions: { Propagation: 'rprivate' },
      },
      {
        Type: 'bind',
        Source: '/srv/fleetpress/run/mysqld',
        Target: '/run/mysqld',
        ReadOnly: true,
        BindOptions: { Propagation: 'rprivate' },
      },
    ],
    Tmpfs: { '/run': 'rw,nosuid,nodev,noexec,size=1048576,mode=755,uid=33,gid=33' },
    NetworkMode: 'site-1',
    LogConfig: { Type: 'local', Config: { 'max-size': '5000000', 'max-file': '2', compress: 'false' } },
  },
  NetworkingConfig: { EndpointsConfig: { 'site-1': { IPAMConfig: { IPv4Address: '10.77.0.2' } } } },
}

void describe('specToCreateBody', () => {
  void it('asks the engine for exactly this', () => assert.deepEqual(specToCreateBody(spec), golden))

  void it('asks for no more than a specification that says little', () => {
    const { HostConfig, NetworkingConfig, ...rest } = specToCreateBody({
      name: 'a',
      image: 'b',
      readOnly: true,
      network: 'none',
      limits: spec.limits,
      restart: 'no',
    })
    assert.deepEqual(Object.keys(rest), ['Image', 'Env', 'Labels'])
    assert.deepEqual(NetworkingConfig, { EndpointsConfig: {} })
    assert.deepEqual(HostConfig.CapAdd, [])
    assert.deepEqual(HostConfig.CapDrop, ['ALL'])
    assert.equal(HostConfig.NetworkMode, 'none')
  })

  const refused = [
    '/',
    '/var',
    '/var/run',
    '/var/run/docker.sock',
    '/run/docker.sock',
    '/run',
    '/srv/../run/docker.sock',
    '/srv//x',
    '/srv/x/',
    'srv/x',
    '/var/lib/docker/volumes',
    '/etc/ssh',
    '/proc',
    '/sys/fs/cgroup',
    '/dev',
    '/srv',
    '',
    '/srv/a\0b',
  ]
  for (const source of refused) {
    void it(`never mounts ${JSON.stringify(source)}`, () =>
      assert.throws(() => specToCreateBody({ ...spec, mounts: [{ source, target: '/x' }] }), { code: 'docker_error' }))
  }
})

void describe('specHash', () => {
  void it('does not depend on the order in which things are said', () => {
    const reordered = Object.fromEntries(Object.entries(spec).toReversed()) as unknown as ContainerSpec
    assert.equal(specHash({ ...reordered, env: { A: '1', B: '2' } }), specHash(spec))
  })

  void it('changes with everything but the limits', () => {
    assert.equal(specHash({ ...spec, limits: { memoryBytes: 1, cpus: 1, pids: 1 } }), specHash(spec))
    const changes: Partial<ContainerSpec>[] = [
      { image: 'other' },
      { command: ['other'] },
      { user: '0:0' },
      { readOnly: false },
      { mounts: [] },
      { tmpfs: [] },
      { capAdd: [] },
      { network: 'host' },
      { env: {} },
      { labels: {} },
      { restart: 'no' },
      { stopTimeoutSeconds: 1 },
      { init: false },
      { logMaxBytes: 1 },
    ]
    const hashes = new Set(changes.map(change => specHash({ ...spec, ...change })))
    assert.equal(hashes.size, changes.length)
    assert.ok(!hashes.has(specHash(spec)))
  })
})
