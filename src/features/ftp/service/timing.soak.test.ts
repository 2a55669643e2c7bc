import assert from 'node:assert/strict'
import { it } from 'node:test'
import { guessByFtp, guessBySftp } from '#test/support/ftp-guess.ts'
import { localFtp } from '#test/support/local-ftp.ts'

const GUESSES = 200
const AT_ONCE = 4
const MOST_APART_MS = 5

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

it('no one learns from the time which logins exist', { timeout: 30 * 60_000 }, async context => {
  await using ftp = await localFtp({ config: text => text.replace('BanEngine on', 'BanEngine off') })
  await ftp.makeSite('hello', 70_000, {})
  await ftp.apply([{ username: 'ada', password: 'right-for-ada', folder: '/sites/hello/html', uid: 70_000 }])
  for (const [protocol, guess] of Object.entries({ sftp: guessBySftp, ftp: guessByFtp })) {
    const taken = { ada: [] as number[], bob: [] as number[] }
    let left = GUESSES
    const work = async () => {
      for (; left > 0; left -= 1)
        // The one that is there and the one that is not, in turn: whatever slows the machine slows both.
        for (const username of ['ada', 'bob'] as const)
          taken[username].push(await guess({ address: ftp.address, username, password: 'wrong' }))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const apart = Math.abs(median(taken.ada) - median(taken.bob))
    context.diagnostic(
      `${protocol}: known ${median(taken.ada).toFixed(1)} ms, unknown ${median(taken.bob).toFixed(1)} ms`,
    )
    assert.ok(apart < MOST_APART_MS, `${protocol} tells them apart by ${apart} ms`)
  }
})
