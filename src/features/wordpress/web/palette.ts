import { IconBrandWordpress } from '@tabler/icons-react'
import { type Site, sites } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { verdictOf } from '#web/client/can.ts'
import type { Command, PaletteOffer, Searcher } from '#web/client/registration.ts'
import { wordpressActions } from './can.ts'
import { openSignedIn } from './open-signed-in.ts'

const FOUND = 6
const { siteList } = clientOf(sites)

const signIn = (site: Site, { access }: Searcher): Command[] => {
  const { isOffered, reason } = verdictOf(wordpressActions, 'wpLoginLink', access, site)
  if (!isOffered) return []
  return [
    {
      title: `Sign in to WordPress of ${site.title}`,
      note: site.hostnames[0] ?? site.slug,
      icon: IconBrandWordpress,
      act: async () => {
        await openSignedIn(site.slug)
        return {}
      },
      ...(reason !== undefined && { refusal: reason }),
    },
  ]
}

/** `sign in bakery` opens its admin area. */
export const wordpressPalette: PaletteOffer = {
  search: async (q, searcher) => {
    const [, name] = /^sign(?: ?in)?(?: to)?(?: wordpress)?(?: o[fn])? +(.+)$/i.exec(q.trim()) ?? []
    if (name === undefined) return []
    const { items } = await siteList({ query: { q: name } })
    return items.slice(0, FOUND).flatMap(site => signIn(site, searcher))
  },
}
