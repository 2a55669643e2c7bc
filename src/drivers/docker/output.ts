const HEADER_BYTES = 8
const STDERR = 2

export type OutputStream = 'stdout' | 'stderr'
export type OnOutput = (stream: OutputStream, chunk: Buffer) => void | Promise<void>

/** Takes apart the one stream in which the engine sends both outputs of a program. */
export const demultiplex = async (source: AsyncIterable<Buffer>, onOutput: OnOutput): Promise<void> => {
  let held: Buffer = Buffer.alloc(0)
  let leftBytes = 0
  let stream: OutputStream = 'stdout'
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= (leftBytes === 0 ? HEADER_BYTES : 1)) {
      if (leftBytes === 0) {
        stream = held[0] === STDERR ? 'stderr' : 'stdout'
        leftBytes = held.readUInt32BE(4)
        held = held.subarray(HEADER_BYTES)
        continue
      }
      const piece = held.subarray(0, leftBytes)
      held = held.subarray(piece.length)
      leftBytes -= piece.length
      await onOutput(stream, piece)
    }
  }
}
