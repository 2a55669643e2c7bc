import { Command } from 'commander'
import { contract } from '#platform/contract/endpoint.ts'
import { JobAccepted } from '#platform/contract/job.ts'
import { addEndpoints } from '../../src/cli/generated/commands.ts'

/** A program with one command, for an endpoint that starts a job whatever the contracts hold today. */
const things = contract({
  thingStart: {
    method: 'POST',
    path: '/api/things/start',
    level: 'manage',
    summary: 'Start',
    job: true,
    reply: JobAccepted,
  },
})

const program = new Command('things')
addEndpoints(program, [{ name: 'things', contract: things }], () => true)
await program.parseAsync()
