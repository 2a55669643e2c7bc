import { warmServer } from '#test/support/warm-server.ts'
import { frontPage, perSecond } from './front-page.ts'
import { median, report } from './report.ts'

const ROUNDS = 15
const FOLDER = '/srv/fleetpress/sites/first/html'
/** A second name of the database's own socket, and a header that decides which of the two WordPress takes. */
const CHOICE = `ln /srv/fleetpress/run/database/mysqld.sock ${FOLDER}/direct.sock
sed -i "s#^define('DB_HOST', .*#define('DB_HOST', isset(\\$_SERVER['HTTP_X_DIRECT']) ? 'localhost:/var/www/html/direct.sock' : 'localhost:/run/mysqld/mysqld.sock');#" ${FOLDER}/wp-config.php
grep -q X_DIRECT ${FOLDER}/wp-config.php`

await using house = await warmServer()
await house.shell(CHOICE)
const hostname = `first.${house.servers[0]?.name}.localhost`
const visits = {
  proxied: frontPage('wp_first', hostname),
  direct: frontPage('wp_first', hostname, { HTTP_X_DIRECT: '1' }),
}

const ratios: number[] = []
const figures: Record<'proxied' | 'direct', number[]> = { proxied: [], direct: [] }
for (let round = 0; round <= ROUNDS; round += 1) {
  // In turns, so that neither is always the one that comes first.
  const order = round % 2 === 0 ? (['proxied', 'direct'] as const) : (['direct', 'proxied'] as const)
  const measured = { proxied: 0, direct: 0 }
  for (const way of order) measured[way] = await perSecond(visits[way])
  // The first round warms both.
  if (round === 0) continue
  figures.proxied.push(measured.proxied)
  figures.direct.push(measured.direct)
  ratios.push(measured.proxied / measured.direct)
}
console.log(`the median of the rounds' own ratios is ${median(ratios).toFixed(3)}`)
report('database-proxy', [
  {
    name: 'front pages with a limit of connections before login',
    unit: 'requests/s',
    ours: median(figures.proxied),
    peer: { name: 'the socket of the database itself', value: median(figures.direct) },
    limit: { atLeast: 0.97 },
  },
])
