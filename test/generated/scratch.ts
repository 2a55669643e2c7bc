import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fuzz } from './fuzz.ts'
import { keyHeaders, openHouse } from './fuzz-house.ts'
import { bearer } from './callers.ts'
import { served } from './served.ts'
setFlagsFromString('--expose-gc'); const gc = runInNewContext('gc') as () => void
const mem = (n: string) => { gc(); const m = process.memoryUsage(); console.log(n, Object.entries(m).map(([k, v]) => `${k} ${(v / 1048576).toFixed(0)}`).join(' '), readFileSync('/proc/self/status', 'utf8').match(/Rss\w+:\s+\d+/g)?.join(' ').replace(/\s+/g, ' ')) }
const house = await openHouse('sqlite')
mem('start')
const variant = process.argv[2]
for (let i = 0; i < 4; i++) {
const r = await fuzz({ ...house, endpoints: served, headers: variant === 'fixed' ? async () => bearer(house.panel.token['read-only']) : keyHeaders(house, 'read-only'), count: 2000, seed: i * 100 }); mem(`lag ${r.lagMs.toFixed(0)} grown ${r.grownMiB.toFixed(0)}`) }
await house.close()
