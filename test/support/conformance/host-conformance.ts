import { after, before, describe } from 'node:test'
import { dialCases } from './dial-cases.ts'
import { fileCases } from './file-cases.ts'
import { hostileWordCases } from './hostile-word-cases.ts'
import { interruptionCases } from './interruption-cases.ts'
import { outputCases } from './output-cases.ts'
import { shellCases } from './shell-cases.ts'
import { stdinCases } from './stdin-cases.ts'
import type { HostSubject } from './subject.ts'
import { transferCases } from './transfer-cases.ts'

/** What every kind of host must do alike. `makeSubject` is called once, before the first case. */
export const hostConformance = (name: string, makeSubject: () => Promise<HostSubject>): void => {
  void describe(`${name} conforms`, () => {
    let made: HostSubject | undefined
    before(async () => {
      made = await makeSubject()
    })
    after(() => made?.close())
    const subject = () => {
      if (made === undefined) throw new Error('the host was not made')
      return made
    }
    const groups = {
      outputCases,
      stdinCases,
      interruptionCases,
      hostileWordCases,
      fileCases,
      transferCases,
      dialCases,
      shellCases,
    }
    for (const [title, cases] of Object.entries(groups)) void describe(title, () => cases(subject))
  })
}
