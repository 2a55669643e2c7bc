/** Text as a field of the browser holds it: each line ends with one character. */
export interface FileText {
  readonly text: string
  /** How lines end in the file. */
  readonly lineEnd: '\n' | '\r\n'
  /** Some lines end in another way, and would be changed with the next save. */
  readonly isMixed: boolean
}

/** Undefined for what is not text in UTF-8. */
export const readText = (bytes: ArrayBuffer): FileText | undefined => {
  try {
    const raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (raw.includes('\0')) return undefined
    const lineEnd = /\r\n/.test(raw) ? '\r\n' : '\n'
    const text = raw.replace(/\r\n?/g, '\n')
    return { text, lineEnd, isMixed: text.replaceAll('\n', lineEnd) !== raw }
  } catch {
    return undefined
  }
}

export const writeText = (text: string, lineEnd: FileText['lineEnd']): Blob =>
  new Blob([text.replaceAll('\n', lineEnd)])
