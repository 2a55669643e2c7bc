/** `./fleetpress test soak`: everything as often as it can be, for hours; the normal run takes a sample of it. */
export const SOAK = process.env.FLEETPRESS_SOAK === '1'
