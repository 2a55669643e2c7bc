import { mkdtempSync, rmSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { bearer } from './callers.ts'
import { clockFrom } from './clock.ts'
import { fuzz } from './fuzz.ts'
import { inhabitedPanel, knownIds } from './inhabited.ts'
import { requestsTo } from './requests.ts'
import { served } from './served.ts'
setFlagsFromString('--expose-gc'); const gc = runInNewContext('gc') as () => void
const mem = (n: string) => { gc(); const m = process.memoryUsage(); console.log(n, Object.entries(m).map(([k, v]) => `${k} ${(v / 1048576).toFixed(0)}`).join(' ')) }
const clock = clockFrom()
const folder = mkdtempSync('/dev/shm/fleetpress-fuzz-')
const panel = await inhabitedPanel({ now: clock.now, env: { FLEETPRESS_DATA: folder } })
const requests = requestsTo(served, [...(await knownIds(panel))], {})
mem('start')
for (const level of ['none', 'read-only', 'read-only', 'read-only', 'read-only', 'read-only', 'read-only', 'manage'] as const) { const t = Date.now(); 
 const headers = async () => level === 'none' ? {} : bearer(panel.token[level])
const r = await fuzz({ panel, clock, endpoints: served, requests, headers, count: 2000, seed: 77 + Math.floor(t % 1000) }); mem(`${level} ${Date.now() - t} ms lag ${r.lagMs.toFixed(0)} grown ${r.grownMiB.toFixed(0)} faults ${r.faults.length}`) }
await panel.stop(); rmSync(folder, { recursive: true, force: true })
