import assert from 'node:assert/strict'
import { systemActor } from '#app/world.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { fastcgi } from '#drivers/fastcgi/fastcgi.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const FILES = 250
const ROUNDS = 30
const CONTAINER = 'fleetpress-site-first'
const ROOT = '/var/www/html'
const LIST = `<?php $found = [];
foreach (scandir('${ROOT}/many') as $name) if ($name[0] !== '.') $found[] = [$name, lstat("${ROOT}/many/$name")];
echo json_encode($found);`

await using house = await warmServer()
const { panel, servers, serverId, shell } = house
await servers[0]?.exec(['docker', 'exec', '-i', CONTAINER, 'tee', `${ROOT}/list.php`], { input: LIST })
await shell(`docker exec ${CONTAINER} bash -c 'mkdir ${ROOT}/many && cd ${ROOT}/many && touch file-{1..${FILES}}'`)
const address = (
  await shell(`docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' ${CONTAINER}`)
).trim()
const host = panel.world.scope(systemActor('bench')).hosts.get(serverId)

const takenMs = async (list: () => Promise<string>): Promise<number> => {
  const began = performance.now()
  const found: unknown = JSON.parse(await list())
  const taken = performance.now() - began
  assert.equal(Array.isArray(found) && found.length, FILES)
  return taken
}
const byFastcgi = async () =>
  (await fastcgi(host, { host: address, port: 9000 }, { root: ROOT, script: '/list.php' })).body.toString()
const byCommand = async () => (await execIn(dockerOf(host), CONTAINER, ['php', `${ROOT}/list.php`])).stdout

const [ours, theirs]: [number[], number[]] = [[], []]
for (let round = 0; round < ROUNDS; round += 1) {
  ours.push(await takenMs(byFastcgi))
  theirs.push(await takenMs(byCommand))
}
report('fastcgi', [
  {
    name: `listing ${FILES} files of a site on a server`,
    unit: 'ms',
    ours: median(ours),
    peer: { name: 'PHP started with docker exec', value: median(theirs) },
    limit: { atMost: 0.5 },
  },
])
