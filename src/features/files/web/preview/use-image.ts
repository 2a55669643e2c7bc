import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type ImageFacts, imageIn } from './image-in.ts'

const MOST_BYTES = 20 * 1024 ** 2
/** A small file can unpack to more than a browser has memory for. */
const MOST_PIXELS = 100_000_000

export interface LoadedImage extends ImageFacts {
  address: string
  sizeBytes: number
}

/** All bytes, or undefined when there are too many. */
const readAll = async (stream: ReadableStream<Uint8Array>): Promise<Blob | undefined> => {
  const reader = stream.getReader()
  const parts: BlobPart[] = []
  for (let sum = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts)
    sum += value.byteLength
    parts.push(new Uint8Array(value))
    if (sum <= MOST_BYTES) continue
    await reader.cancel()
    return undefined
  }
}

const asAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(blob)
  })

/** Null for what can't be shown. The type is that of the bytes, so nothing else is ever drawn. */
const loadImage = async (slug: string, path: string): Promise<LoadedImage | null> => {
  const { bytes } = await api.fileDownload({ params: { slug }, query: { path } })
  const blob = await readAll(bytes)
  if (!blob) return null
  const facts = imageIn(new Uint8Array(await blob.arrayBuffer()))
  if (!facts || facts.width * facts.height > MOST_PIXELS) return null
  return { ...facts, sizeBytes: blob.size, address: await asAddress(new Blob([blob], { type: facts.type })) }
}

/** It is not asked for again by itself: a server sends few downloads at a time. */
export const useImage = (slug: string, path: string) =>
  useQuery({
    queryKey: ['files-shown', slug, path],
    queryFn: () => loadImage(slug, path),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
