import { Command } from 'commander'
import { addEndpoints } from '../../src/cli/generated/commands.ts'
import { runProgram } from '../../src/cli/program.ts'
import { bytesContract, largeContract } from '../generated/planted-bytes.ts'

/** The CLI with commands for planted endpoints that carry bytes. */
const program = new Command('planted').exitOverride()
addEndpoints(program, [{ name: 'planted', contract: { ...bytesContract, ...largeContract } }], () => true)
process.exitCode = await runProgram(program, process.argv.slice(2))
