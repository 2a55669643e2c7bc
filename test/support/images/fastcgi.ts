import type { Host } from '#platform/host/host.ts'

const BEGIN = 1
const PARAMS = 4
const STDIN = 5
const STDOUT = 6

const record = (type: number, content: Buffer): Buffer => {
  const header = Buffer.from([1, type, 0, 1, 0, 0, 0, 0])
  header.writeUInt16BE(content.length, 4)
  return Buffer.concat([header, content])
}

const pair = ([name, value]: [string, string]): Buffer =>
  Buffer.concat([Buffer.from([name.length, value.length]), Buffer.from(name + value)])

/** One request to php-fpm from the host, and what came back; empty when it was turned away. */
export const askFastcgi = async (host: Host, address: string, params: Record<string, string>): Promise<string> => {
  const connection = await host.dial({ host: address, port: 9000 })
  connection.write(
    Buffer.concat([
      record(BEGIN, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])),
      record(PARAMS, Buffer.concat(Object.entries(params).map(pair))),
      record(PARAMS, Buffer.alloc(0)),
      record(STDIN, Buffer.alloc(0)),
    ]),
  )
  const chunks: Buffer[] = []
  for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
  let rest = Buffer.concat(chunks)
  let output = ''
  while (rest.length >= 8) {
    const length = rest.readUInt16BE(4)
    if (rest[1] === STDOUT) output += rest.toString('utf8', 8, 8 + length)
    rest = rest.subarray(8 + length + (rest[6] ?? 0))
  }
  return output
}
