import type { Command } from './command.ts'
import { OutputTooLarge } from './errors.ts'
import type { Host, OnChunk, RunOptions, RunResult } from './host.ts'

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** `run` for any host that can stream. */
export const collectOutput = async (
  host: Pick<Host, 'stream'>,
  command: Command,
  options: RunOptions,
): Promise<RunResult> => {
  const { maxOutputBytes = MAX_OUTPUT_BYTES, ...others } = options
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  let leftBytes = maxOutputBytes
  const keepIn =
    (chunks: Buffer[]): OnChunk =>
    chunk => {
      leftBytes -= chunk.length
      if (leftBytes < 0) throw new OutputTooLarge('the output of the command', maxOutputBytes)
      chunks.push(chunk)
    }
  const { exitCode } = await host.stream(command, { ...others, onStdout: keepIn(stdout), onStderr: keepIn(stderr) })
  return { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), exitCode }
}
