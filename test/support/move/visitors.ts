import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface Asked {
  readonly address: string
  readonly hostname: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly form?: string
}

export interface Page {
  readonly status: number
  readonly text: string
}

/** As a visitor: to the edge of the server, under the name of the site. */
export const ask = ({ address, hostname, path, headers = {}, form }: Asked): Promise<Page> =>
  new Promise((resolve, reject) => {
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const method = form === undefined ? 'GET' : 'POST'
    // A kept connection may be closed by the other side at the very moment it is used again.
    const options = { host: address, port: 80, path, method, agent: false as const }
    const asked = request({ ...options, headers: { host: hostname, ...type, ...headers } }, answer => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', chunk => {
        text += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asked.on('error', reject)
    asked.end(form)
  })

const PAUSE_MS = 50
const FILE = '/wp-includes/css/buttons.css'
/** Mostly files, as with real visitors: a small machine makes few pages a second. */
const PAGES = ['/', FILE, FILE, FILE, '/hello-world/', FILE, FILE, FILE, FILE, FILE]
/** Every so many requests something is written. */
const NOTE_EVERY = 12

export interface Stream {
  end(): Promise<{ answered: number; notes: string[]; slowestMs: number; others: string[] }>
}

/** Twenty requests a second, whatever the answers; what is not answered as it should be is in `others`. */
export const stream = (address: string, hostname: string): Stream => {
  const stop = new AbortController()
  const others: string[] = []
  const notes: string[] = []
  const pending: Promise<void>[] = []
  let slowestMs = 0
  const one = async (at: number): Promise<void> => {
    const began = performance.now()
    const note = at % NOTE_EVERY === 0 ? `n${at}` : undefined
    const path = PAGES[at % PAGES.length] ?? '/'
    try {
      const form = note === undefined ? {} : { form: `note=${note}` }
      const { status, text } = await ask({ address, hostname, path: note === undefined ? path : '/', ...form })
      const isRight = note === undefined ? status === 200 || status === 302 : text === `kept ${note}`
      if (!isRight) others.push(`${at} ${path} ${status} ${text.slice(0, 200)}`)
      else if (note !== undefined) notes.push(note)
    } catch (error) {
      others.push(`${at} ${path} ${String(error)}`)
    }
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - began))
  }
  const going = (async () => {
    for (let at = 0; !stop.signal.aborted; at += 1) {
      pending.push(one(at))
      await sleep(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    end: async () => {
      stop.abort()
      await going
      await Promise.all(pending)
      return { answered: pending.length - others.length, notes, slowestMs, others }
    },
  }
}
