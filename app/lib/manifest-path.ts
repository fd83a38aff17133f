/** Where the product says what it is as an app on a device. Not in `paths`, which every page loads. */
export const MANIFEST = '/manifest.webmanifest'
