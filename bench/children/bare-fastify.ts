/** The peer: Fastify with one route and nothing else, answering the bytes it is given. */
import Fastify from 'fastify'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const body = Buffer.concat(chunks).toString('utf8')
const server = Fastify()
server.get('/api/jobs', async (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body))
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.stdout.write('ready\n')
