/** Returns the place on a batch's page of a prompt that was not sent. Apart from `paths`, which every page loads. */
export const promptAnchor = (place: number): string => `#prompt-${place}`
