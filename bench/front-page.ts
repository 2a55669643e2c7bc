import { readdirSync, readFileSync } from 'node:fs'
import { fastcgi } from '#drivers/fastcgi/fastcgi.ts'
import { LocalHost } from '#platform/host/local-host.ts'

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

/** How many visits several visitors make, one after the other each. */
export const perSecond = async (visit: () => Promise<void>): Promise<number> => {
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

/** Asks php-fpm of a site for its front page, with no web server in between. */
export const frontPage = (database: string, hostname: string, headers: Readonly<Record<string, string>> = {}) => {
  const host = new LocalHost()
  const socketPath = visitorsSocket(database)
  const params = {
    REQUEST_URI: '/',
    HTTP_HOST: hostname,
    SERVER_NAME: hostname,
    SERVER_PORT: '80',
    REMOTE_ADDR: '127.0.0.1',
    ...headers,
  }
  const asked = { root: '/var/www/html', script: '/index.php', params }
  return async (): Promise<void> => {
    const { status, body } = await fastcgi(host, { socketPath }, asked)
    if (status !== 200 || !body.includes('</html>')) throw new Error(`php-fpm answered ${status}`)
  }
}
