import { FastcgiError } from './records.ts'

const LARGEST_HEAD = 65_536
const STATUS = /^[1-5]\d\d(?= |$)/

export interface Output {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** Takes apart what a script printed: headers, an empty line, the body. */
export const parseOutput = (output: Buffer): Output => {
  const [end, next] = endOfHead(output)
  const headers = new Headers()
  for (const line of output.toString('latin1', 0, end).split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new FastcgiError('the script returned an invalid header')
    addTo(headers, line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = STATUS.exec(headers.get('status') ?? '200')
  if (status === null) throw new FastcgiError('the script returned an invalid status')
  headers.delete('status')
  return { status: Number(status[0]), headers, body: output.subarray(next) }
}

const endOfHead = (output: Buffer): [end: number, next: number] => {
  const head = output.subarray(0, LARGEST_HEAD)
  const ends = ['\r\n\r\n', '\n\n']
    .map(mark => [head.indexOf(mark), head.indexOf(mark) + mark.length] as [number, number])
    .filter(([at]) => at > 0)
    .toSorted(([a], [b]) => a - b)
  if (ends[0] === undefined) throw new FastcgiError('the script returned no headers')
  return ends[0]
}

const addTo = (headers: Headers, name: string, value: string): void => {
  try {
    headers.append(name, value)
  } catch {
    throw new FastcgiError('the script returned an invalid header')
  }
}
