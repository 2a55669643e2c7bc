import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fastcgi } from '#drivers/fastcgi/fastcgi.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const ROUNDS = 7
const ROUND_MS = 3000
const VISITORS = 4

/** The socket on which php-fpm of the site takes visitors: the server is a container of this machine. */
const visitorsSocket = (database: string): string => {
  const found = readdirSync('/proc').find(pid => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const isMaster = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('php-fpm: master')
      return isMaster && readFileSync(`/proc/${pid}/root/var/www/html/wp-config.php`, 'utf8').includes(database)
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error('there is no php-fpm of this site')
  return `/proc/${found}/root/run/fleetpress/visitors.sock`
}

const perSecond = async (visit: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  let count = 0
  const visitor = async () => {
    while (performance.now() - began < ROUND_MS) {
      await visit()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, visitor))
  return (count * 1000) / (performance.now() - began)
}

await using house = await warmServer()
const [server] = house.servers
const hostname = `first.${server?.name}.localhost`
const agent = new Agent({ keepAlive: true })

const throughEdge = () =>
  new Promise<void>((resolve, reject) => {
    const asked = request({ agent, host: server?.address, port: 80, headers: { host: hostname } }, answer => {
      answer.resume()
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))))
    })
    asked.on('error', reject)
    asked.end()
  })

const host = new LocalHost()
const socketPath = visitorsSocket('wp_first')
const params = {
  REQUEST_URI: '/',
  HTTP_HOST: hostname,
  SERVER_NAME: hostname,
  SERVER_PORT: '80',
  REMOTE_ADDR: '127.0.0.1',
}
const directly = async () => {
  const { status, body } = await fastcgi(host, { socketPath }, { root: '/var/www/html', script: '/index.php', params })
  if (status !== 200 || !body.includes('</html>')) throw new Error(`php-fpm answered ${status}`)
}

const figures: Record<'ours' | 'direct', number[]> = { ours: [], direct: [] }
for (let round = 0; round <= ROUNDS; round += 1) {
  const [ours, direct] = [await perSecond(throughEdge), await perSecond(directly)]
  // The first round warms both.
  if (round === 0) continue
  figures.ours.push(ours)
  figures.direct.push(direct)
}
agent.destroy()
report('site-front', [
  {
    name: 'front pages through edge and container',
    unit: 'requests/s',
    ours: median(figures.ours),
    peer: { name: 'php-fpm asked directly', value: median(figures.direct) },
    limit: { atLeast: 0.9 },
  },
])
