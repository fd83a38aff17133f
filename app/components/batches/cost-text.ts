import { figure, plural } from '~/lib/figures'

/** Says how many videos of the day retries use, and what happens if fewer are left. */
export const costText = (count: number, remaining: number): string =>
  count <= remaining
    ? `This uses ${figure(count)} of the ${plural(remaining, 'video')} left today. What fails again costs nothing.`
    : remaining === 0
      ? `This needs ${plural(count, 'video')}, and none is left today.`
      : `This needs ${plural(count, 'video')}, and ${figure(remaining)} are left today: we retry the oldest ${figure(remaining)}.`
