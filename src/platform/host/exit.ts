import { constants } from 'node:os'
import type { Exit } from './host.ts'

const NUMBERS: Readonly<Record<string, number>> = constants.signals

/** How a program ended, from what the system or an SSH server says about it. */
export const exitOf = (exitCode: number | null, signal: string | null): Exit =>
  signal === null ? { exitCode: exitCode ?? 0, signal } : { exitCode: 128 + (NUMBERS[signal] ?? 0), signal }

export const signalName = (number: number | undefined): string | null =>
  Object.keys(NUMBERS).find(name => NUMBERS[name] === number) ?? null
