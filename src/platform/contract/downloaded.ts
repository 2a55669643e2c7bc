/** What the headers of a download say. */
export interface DownloadFacts {
  filename: string
  /** Undefined when the panel gave none. */
  etag: string | undefined
  /** Where in the whole these bytes begin; above 0 only when it is resumed. */
  start: number
  /** Of the whole, where it is known. */
  sizeBytes: number | undefined
}

export interface Downloaded extends DownloadFacts {
  bytes: ReadableStream<Uint8Array>
}

/** Where a download continues: the bytes that are there already, and the ETag they came with. */
export interface ResumeAt {
  start: number
  etag: string
}

/** Asks for the rest, or for all of it if it is no longer the same. */
export const resumeHeaders = ({ start, etag }: ResumeAt): Record<string, string> => ({
  range: `bytes=${start}-`,
  'if-range': `"${etag}"`,
})

type HeaderOf = (name: string) => string | null | undefined

const nameIn = (disposition: string): string => {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? 'download' : decodeURIComponent(encoded)
}

export const downloadFacts = (headerOf: HeaderOf): DownloadFacts => {
  const [, start, whole] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf('content-range') ?? '') ?? []
  const sizeBytes = whole ?? headerOf('content-length') ?? undefined
  return {
    filename: nameIn(headerOf('content-disposition') ?? ''),
    etag: /^"(.*)"$/.exec(headerOf('etag') ?? '')?.[1],
    start: Number(start ?? 0),
    sizeBytes: sizeBytes === undefined ? undefined : Number(sizeBytes),
  }
}
