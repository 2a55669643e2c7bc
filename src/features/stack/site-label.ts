/** Holds the slug of the site that a container is. */
export const SITE_LABEL = 'fleetpress.site'
