import { z } from 'zod'
import { findContainer } from '#drivers/docker/containers.ts'
import { ask, missingContainer, withFolder } from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import { withRunningSite } from './site-of.ts'

const LIMIT_MS = 10 * 60_000
const Done = z.object({ ok: z.boolean() })

/** The site itself may not change owners, so this is done next to it, in a container that has nothing but its files. */
export const fixOwnership = (scope: Scope, slug: string, path: string): Promise<{ ok: boolean }> =>
  withRunningSite(scope, slug, async ({ host, container }, site) => {
    const found = await findContainer(dockerOf(host), container)
    if (!found) throw missingContainer()
    const [uid, gid] = z.tuple([Id, Id]).parse(found.user.split(':'))
    return withFolder(scope, site, { image: found.image, purpose: 'owner' }, folder =>
      ask(folder, { op: 'own', path, uid, gid }, Done, { timeoutMs: LIMIT_MS }),
    )
  })

/** Never root's. */
const Id = z.coerce.number().int().positive()
