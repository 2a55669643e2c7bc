import { Agent, request } from 'node:http'
import { warmServer } from '#test/support/warm-server.ts'
import { frontPage, perSecond } from './front-page.ts'
import { median, report } from './report.ts'

const ROUNDS = 7

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

const directly = frontPage('wp_first', hostname)

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
