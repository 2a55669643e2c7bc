/** The values of a stream that holds one JSON text per line, as they come. */
export const readJsonLines = async (
  source: AsyncIterable<Buffer>,
  onValue: (value: unknown) => void,
): Promise<void> => {
  const decoder = new TextDecoder()
  let held = ''
  const take = (line: string) => {
    if (line.trim() !== '') onValue(JSON.parse(line))
  }
  for await (const chunk of source) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  take(held)
}
