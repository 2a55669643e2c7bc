import { type Actions, lasting, passing } from '#web/client/can.ts'
import { type CatalogPlugin, catalog } from '../contract.ts'

/** What can be done to a plugin of the catalog, and when. */
export const catalogActions: Actions<typeof catalog, CatalogPlugin> = {
  contract: catalog,
  conditions: {
    pluginCheckStart: [
      ({ check }) => (check === null ? lasting('Plugins of WordPress.org are not checked here.') : undefined),
      ({ check }) => (check?.checking ? passing('It is being checked now.') : undefined),
    ],
    pluginReview: [
      ({ check }) => (check?.needsReview ? undefined : lasting('Nothing needs a review.')),
      ({ check }) => (check?.checking ? passing('It is being checked now.') : undefined),
    ],
  },
}
