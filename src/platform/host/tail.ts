/** The last bytes of a stream, in bounded memory. */
export class Tail {
  readonly #keptBytes: number
  #chunks: Buffer[] = []
  #sizeBytes = 0

  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(-this.#keptBytes))
    this.#sizeBytes += Math.min(chunk.length, this.#keptBytes)
    if (this.#sizeBytes > 2 * this.#keptBytes) this.#shorten()
  }

  text(): string {
    this.#shorten()
    const bytes = Buffer.concat(this.#chunks)
    // The cut may fall inside a character, whose remaining bytes all start with the bits 10.
    const start = bytes.length < this.#keptBytes ? 0 : bytes.findIndex(byte => (byte & 0xc0) !== 0x80)
    return bytes.toString('utf8', Math.max(start, 0))
  }

  #shorten(): void {
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#keptBytes))
    this.#chunks = [kept]
    this.#sizeBytes = kept.length
  }
}
