/**
 * Example prompts for users without an idea of their own. The local renderer draws all of them
 * well.
 */
export const EXAMPLE_PROMPTS = [
  'A paper boat drifting down a rainy street at dusk, slow dolly shot, warm lamplight',
  'Snow falling on quiet mountains at dawn, a single bird crossing the sky',
  'A neon city at night seen from above, cars flowing like rivers of light',
] as const
