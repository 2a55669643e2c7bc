import pc from 'picocolors'

export interface Screen {
  isTTY?: boolean
  columns?: number
  write: (text: string) => unknown
}

/** Colours and lines that are rewritten are for people at a terminal who did not refuse them. */
export const isFancy = (screen: Screen, env: Record<string, string | undefined> = process.env): boolean =>
  screen.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

export const coloursFor = (screen: Screen) => pc.createColors(isFancy(screen))

export const out = (text: string): void => void process.stdout.write(`${text}\n`)

/** Words next to the data: they never mix with what a script reads. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const STEPS: [number, string][] = [
  [1024 ** 4, 'TiB'],
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
]

export const bytes = (count: number): string => {
  const [size, unit] = STEPS.find(([size]) => count >= size) ?? [1, 'B']
  return `${size === 1 ? count : (count / size).toFixed(1)} ${unit}`
}

export const duration = (totalSeconds: number): string => {
  const whole = Math.floor(totalSeconds)
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return first === -1
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ')
}
