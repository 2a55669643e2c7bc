/**
 * The texts of the values of one large JSON object, as they come in. The feed has a hundred megabytes, which need not be
 * in memory at once.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  longestRecord = 4 * 1024 ** 2,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const scanner = new Scanner()
  let rest = ''
  let scanned = 0
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    for (; scanned < rest.length; scanned += 1) {
      const found = scanner.take(rest.charCodeAt(scanned))
      if (found === 'begins') {
        rest = rest.slice(scanned)
        scanned = 0
      }
      if (found === 'ends') {
        yield rest.slice(0, scanned + 1)
        rest = rest.slice(scanned + 1)
        scanned = -1
      }
    }
    if (rest.length > longestRecord) throw new Error('a record is longer than any can be')
    if (!scanner.isInRecord) {
      rest = ''
      scanned = 0
    }
  }
  if (!scanner.isWhole) throw new Error('the feed ends in the middle')
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]

class Scanner {
  #depth = 0
  #isString = false
  #isEscaped = false
  #hasEnded = false

  get isInRecord(): boolean {
    return this.#depth > 1
  }

  get isWhole(): boolean {
    return this.#hasEnded
  }

  take(code: number): 'begins' | 'ends' | undefined {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isString) this.#inString(code)
    else if (code === QUOTE) this.#isString = true
    else if (code === OPEN) return ++this.#depth === 2 ? 'begins' : undefined
    else if (code === CLOSE) return this.#close()
    return undefined
  }

  #inString(code: number): void {
    if (code === BACKSLASH) this.#isEscaped = true
    if (code === QUOTE) this.#isString = false
  }

  #close(): 'ends' | undefined {
    this.#depth -= 1
    this.#hasEnded ||= this.#depth === 0
    return this.#depth === 1 ? 'ends' : undefined
  }
}
