import { addressGroup } from '#platform/access/address.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { deleteAddressesBefore, isKnownAddress, rememberAddress } from './known-address-store.ts'

const ADDRESSES_KEPT = 100
const KEPT_MS = 90 * 86_400_000

/** Whether the caller is where this person has signed in before. */
export const callsFromKnownAddress = (scope: RequestScope, adminId: string | undefined): Promise<boolean> =>
  isKnownAddress(scope.db, adminId, addressGroup(scope.caller.address))

/** From now on the brake on this person's account does not slow them where they call from. */
export const rememberCaller = (scope: RequestScope, adminId: string): Promise<void> =>
  rememberAddress(scope.db, {
    adminId,
    address: addressGroup(scope.caller.address),
    now: scope.now(),
    keep: ADDRESSES_KEPT,
  })

export const forgetOldAddresses = (scope: Scope): Promise<void> =>
  deleteAddressesBefore(scope.db, scope.now() - KEPT_MS)
