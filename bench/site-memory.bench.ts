import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemActor } from '#app/world.ts'
import { ensureDebian } from '#features/stack/images/debian.ts'
import { shipImages } from '#features/stack/images/ensure-image.ts'
import { siteImage } from '#features/stack/images/recipes.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { report } from './report.ts'

const MIB = 1024 ** 2
const SITES = 3
const PAGES = 20
/** Until php-fpm has ended the processes that answered. */
const IDLE_SECONDS = 60
const PEER = `fleetpress-bench-apache-${process.pid}`

const run = promisify(execFile)

/** The same PHP with the same extensions, as a module of Apache with the settings of its package. */
const dockerfile = (debian: string, php: string) => `FROM ${debian}
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update && apt-get install -y --no-install-recommends apache2 libapache2-mod-php${php} php${php}-curl \
  php${php}-gd php${php}-intl php${php}-mbstring php${php}-mysql php${php}-xml php${php}-zip php-imagick php-redis \
  php${php}-opcache php${php}-bcmath php${php}-soap \
  && a2enmod rewrite && sed -i '/APACHE_RUN_\\(USER\\|GROUP\\)/d' /etc/apache2/envvars
CMD ["apache2ctl", "-D", "FOREGROUND"]`

const buildPeer = async (): Promise<void> => {
  const debian = await ensureDebian(new LocalHost(), siteImage('8.4').suite, { dataDir: house.panel.config.dataDir })
  const building = run('docker', ['build', '--tag', PEER, '-'], { maxBuffer: 64 * MIB })
  building.child.stdin?.end(dockerfile(debian, '8.4'))
  await building
}

await using house = await warmServer()
const { shell, createTimed, memoryOf } = house

/** As a busy hour would leave it: some pages, several at once, then rest. */
const visitAll = (address: string, port: number, hostname: string) =>
  shell(`ask() {
    exec 3<> /dev/tcp/${address}/${port}
    printf 'GET / HTTP/1.1\\r\\nHost: ${hostname}\\r\\nConnection: close\\r\\n\\r\\n' >&3
    head -n 1 <&3 | grep -q ' 200 '
  }
  for page in $(seq ${PAGES / 4}); do
    pids=(); for visitor in 1 2 3 4; do ask & pids+=($!); done
    for pid in "\${pids[@]}"; do wait $pid; done
  done`)

try {
  await buildPeer()
  const { hosts } = house.panel.world.scope(systemActor('bench'))
  await shipImages(new LocalHost(), hosts.get(house.serverId), [`${PEER}:latest`])
  for (let number = 0; number < SITES; number += 1) {
    const { hostname } = await createTimed(`site-${number}`)
    await visitAll('127.0.0.1', 80, hostname)
    const folder = `/srv/fleetpress/sites/site-${number}/html`
    const peer = `apache-${number}`
    // Only the owner of a site reads its files.
    await shell(`owner="#$(stat --format %u ${folder})"
      docker run --detach --init --name ${peer} --volume ${folder}:/var/www/html \
      --env APACHE_RUN_USER="$owner" --env APACHE_RUN_GROUP="$owner" \
      --volume /srv/fleetpress/run/site-databases/site-${number}:/run/mysqld ${PEER}; sleep 2`)
    const address = await shell(`docker inspect --format '{{.NetworkSettings.IPAddress}}' ${peer}`)
    await visitAll(address.trim(), 80, hostname)
  }
  await shell(`sleep ${IDLE_SECONDS}`)
  const sum = async (prefix: string) => {
    let bytes = 0
    for (let number = 0; number < SITES; number += 1) bytes += await memoryOf(`${prefix}-${number}`)
    return bytes / SITES / MIB
  }
  report('site-memory', [
    {
      name: 'memory of an idle site (PSS)',
      unit: 'MiB',
      ours: await sum('fleetpress-site-site'),
      peer: { name: 'Apache with mod_php', value: await sum('apache') },
      limit: { atMost: 0.3 },
    },
  ])
} finally {
  await run('docker', ['rmi', '--force', PEER])
}
