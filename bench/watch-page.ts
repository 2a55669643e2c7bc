import type { Page } from 'playwright-core'

/** Gives the times between frames while an act continues, which says itself when it has ended. */
const framesDuring = (act: string) => `new Promise(resolve => {
  const act = ${act}
  const gaps = []
  let last = performance.now()
  const step = now => {
    gaps.push(now - last)
    last = now
    if (act()) resolve(gaps)
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** More than three screens a second, as a strong flick does. */
export const SCROLL = framesDuring(`(left => () => {
  scrollBy(0, 50)
  left -= 1
  return left === 0
})(500)`)
/** While someone else types. */
export const LOOK_ON = framesDuring(`(began => () => performance.now() - began > 3_000)(performance.now())`)

/** When the heading stood there and nothing held the page up any more. */
const INTERACTIVE = `new Promise(resolve => {
  let until = 0
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) until = Math.max(until, startTime + duration)
  })
  observer.observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (!document.querySelector('h1')) return requestAnimationFrame(look)
    const headedAt = performance.now()
    setTimeout(() => resolve(Math.max(headedAt, until)), 1_000)
  }
  look()
})`

export interface Opened {
  /** Until a person could do something. */
  ms: number
  scriptBytes: number
}

export const openPage = async (page: Page, url: string): Promise<Opened> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const scriptBytes = bytes
  return { ms: await page.evaluate<number>(INTERACTIVE), scriptBytes }
}

export interface Frames {
  perSecond: number
  /** Of the processor, for each frame. */
  workMs: number
}

export const watchFrames = async (page: Page, script: string, beside?: () => Promise<void>): Promise<Frames> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const before = await worked()
  const [gaps] = await Promise.all([page.evaluate<number[]>(script), beside?.()])
  const workMs = ((await worked()) - before) / gaps.length
  await devtools.detach()
  return { perSecond: (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), workMs }
}
