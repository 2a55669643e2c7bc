/** The properties of a button that cannot be used now. It can still be reached, so that everyone learns why. */
export const refused = (reason: string | undefined) =>
  reason === undefined ? {} : { 'data-disabled': true, 'aria-disabled': true, title: reason }
