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

/** Where a line begins and ends. */
export const lineRange = (text: string, line: number): [start: number, end: number] => {
  let start = 0
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start)
    if (next === -1) break
    start = next + 1
  }
  const end = text.indexOf('\n', start)
  return [start, end === -1 ? text.length : end]
}
