import { coloursFor, isFancy, type Screen, seconds } from '../terminal.ts'

/** Told by a step what to show behind its name. */
export type Note = (text: string) => void

export type Steps = <T>(name: string, act: (note: Note) => Promise<T> | T) => Promise<T>

/** Shows each step with what it found and how long it took; the line of a running step is only shown to people. */
export const showSteps = (screen: Screen): Steps => {
  const colours = coloursFor(screen)
  return async (name, act) => {
    const startedAt = performance.now()
    let found = ''
    const time = () => colours.dim(seconds(performance.now() - startedAt))
    if (isFancy(screen)) screen.write(`  ${colours.dim(`${name} …`)}`)
    const end = (text: string) => screen.write(`${isFancy(screen) ? '\r\u001b[K' : ''}${text}\n`)
    try {
      const value = await act(text => {
        found = text
      })
      end(`${colours.green('✓')} ${name}${found === '' ? '' : `: ${found}`} ${time()}`)
      return value
    } catch (error) {
      end(`${colours.red('✗')} ${name} ${time()}`)
      throw error
    }
  }
}
