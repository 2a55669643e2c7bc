/** `=?utf-8?Q?Gr=C3=BC=C3=9Fe?=`, as headers carry what is not plain ASCII (RFC 2047). */
const WORD = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([QB])\?([^?\s]*)\?=/gi
/** Between two of them only the end of a line was left out, which Postfix logs as a question mark. */
const BETWEEN = /\?=\??[ \t]+(?==\?[\w-]{1,40}(?:\*[\w-]*)?\?[QB]\?)/gi
/** Postfix logs the first 200 bytes of a header. */
const CUT_OFF = /=\?[\w-]{1,40}(?:\*[\w-]*)?\?[QB]\?[^?\s]*\??$/i

/** A header as people read it. What can't be decoded stays as it is. */
export const decodeWords = (header: string): string =>
  header
    .replace(BETWEEN, '?=')
    .replace(WORD, (word, charset: string, kind: string, text: string) => {
      const bytes = kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : quotedBytes(text)
      return decode(charset, bytes) ?? word
    })
    .replace(CUT_OFF, '…')

const quotedBytes = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9A-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )

const decode = (charset: string, bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return undefined
  }
}
