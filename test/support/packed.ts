import { PACKED_PLACE, packedPath } from '../../src/cli/test/packed-path.ts'

/** A program of the tests as this run has packed it, which starts in half the time; its source when a file runs alone. */
export const packed = (program: string): string => packedPath(program, process.env[PACKED_PLACE])
