import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem } from '#platform/contract/problem.ts'
import { toProblem } from '#web/kit/problem.ts'
import { api } from './api.ts'
import { type Dropped, foldersOf } from './dropped-files.ts'
import { joined } from './paths.ts'
import { sendFile } from './send-file.ts'
import { folderKey } from './use-files.ts'

/** One file on its way. */
export interface Upload {
  readonly id: number
  readonly path: string
  readonly file: File
  readonly sentBytes: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'canceled'
  readonly problem?: string
  /** There is such a file already. */
  readonly isTaken?: boolean
}

let lastId = 0

/** A folder that is there already is as good as a new one. */
const ensureFolder = (slug: string, path: string) =>
  api.fileMkdir({ params: { slug }, body: { path } }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  })

interface Sender {
  readonly slug: string
  readonly change: (id: number, part: Partial<Upload>) => void
  readonly signalOf: (id: number) => AbortSignal
}

/** Sends one file, and keeps what becomes of it. */
const send = async ({ slug, change, signalOf }: Sender, { id, path, file }: Upload, overwrite: boolean) => {
  const signal = signalOf(id)
  if (signal.aborted) return
  change(id, { state: 'sending' })
  try {
    await sendFile({ slug, path, file, overwrite, signal, onSent: sentBytes => change(id, { sentBytes }) })
    change(id, { state: signal.aborted ? 'canceled' : 'done' })
  } catch (error) {
    const { code, message } = toProblem(error)
    change(id, { state: 'failed', problem: message, isTaken: code === 'conflict' })
  }
}

const newUpload = ({ path, file }: Dropped, folder: string): Upload => {
  lastId += 1
  return { id: lastId, path: joined(folder, path), file, sentBytes: 0, state: 'waiting' }
}

/** Sends files one after the other. */
export const useUploads = (slug: string) => {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const stops = useRef(new Map<number, AbortController>())
  const change = (id: number, part: Partial<Upload>) =>
    setUploads(before => before.map(upload => (upload.id === id ? { ...upload, ...part } : upload)))
  const stopOf = (id: number): AbortController => {
    const stop = stops.current.get(id) ?? new AbortController()
    stops.current.set(id, stop)
    return stop
  }
  const enqueue = (work: () => Promise<unknown>) => {
    const act = () => work().finally(() => void queryClient.invalidateQueries({ queryKey: folderKey(slug) }))
    queue.current = queue.current.then(act, act)
  }
  const sender: Sender = { slug, change, signalOf: id => stopOf(id).signal }
  const start = (dropped: readonly Dropped[], folder: string) => {
    const added = dropped.map(one => newUpload(one, folder))
    setUploads(before => [...before, ...added])
    for (const path of foldersOf(dropped)) enqueue(() => ensureFolder(slug, joined(folder, path)))
    for (const upload of added) enqueue(() => send(sender, upload, false))
  }
  const cancel = (id: number) => {
    stopOf(id).abort()
    change(id, { state: 'canceled' })
  }
  const replace = (upload: Upload) => {
    change(upload.id, { state: 'waiting', isTaken: false })
    enqueue(() => send(sender, upload, true))
  }
  const clear = () => setUploads(before => before.filter(({ state }) => state === 'waiting' || state === 'sending'))
  return { uploads, start, cancel, replace, clear }
}
