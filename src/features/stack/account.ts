import { readText } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

const SUDOERS = '/etc/sudoers.d/fleetpress'
const ABSENT = 2

/** The account exists, takes the panel's key and may do everything. Done as root, for another account. */
export const ensureAccount = async (root: Host, user: string, publicKey: string): Promise<void> => {
  const existing = await root.run(exec('getent', 'passwd', '--', user), { allowExitCodes: [ABSENT] })
  if (existing.exitCode === ABSENT) await root.run(exec('useradd', '--create-home', '--shell', '/bin/bash', '--', user))
  const account = existing.exitCode === ABSENT ? await root.run(exec('getent', 'passwd', '--', user)) : existing
  await authorize(root, account.stdout, publicKey)
  await root.writeFile(SUDOERS, `${user} ALL=(ALL) NOPASSWD: ALL\n`, { mode: 0o440 })
}

const authorize = async (root: Host, passwd: string, publicKey: string) => {
  const [, , uid, gid, , home] = passwd.trim().split(':')
  if (!home?.startsWith('/')) throw new Error('the account has no home folder')
  const owner = { uid: Number(uid), gid: Number(gid) }
  const file = `${home}/.ssh/authorized_keys`
  const keys = await readText(root, file)
  if (keys.split('\n').includes(publicKey)) return
  await root.makeDir(`${home}/.ssh`, { mode: 0o700, owner })
  const before = keys === '' || keys.endsWith('\n') ? keys : `${keys}\n`
  await root.writeFile(file, `${before}${publicKey}\n`, { mode: 0o600, owner })
}
