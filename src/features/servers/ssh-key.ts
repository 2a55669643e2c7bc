import { Secret } from '#platform/host/secret.ts'
import { newSshKeyPair } from '#platform/host/ssh/key-pair.ts'
import type { Scope } from '#platform/scope.ts'
import { findSshKey, insertSshKey, type SshKeyRow } from './server-store.ts'

const ONLY_KEY = 1
const PURPOSE = 'ssh-key'

type KeyScope = Pick<Scope, 'db' | 'secrets' | 'now'>

/** The key the panel signs in with on every server, made at first use. */
const sshKey = async (scope: KeyScope): Promise<SshKeyRow> => {
  const existing = await findSshKey(scope.db)
  if (existing) return existing
  const pair = await newSshKeyPair('fleetpress')
  await insertSshKey(scope.db, {
    id: ONLY_KEY,
    public_key: pair.publicKey,
    sealed_private_key: scope.secrets.seal(PURPOSE, pair.privateKey),
    created_at: scope.now(),
  })
  // Another process may have been first.
  return sshKey(scope)
}

export const sshPublicKey = async (scope: KeyScope): Promise<string> => (await sshKey(scope)).public_key

export const sshPrivateKey = async (scope: KeyScope): Promise<Secret> =>
  new Secret(scope.secrets.open(PURPOSE, (await sshKey(scope)).sealed_private_key))
