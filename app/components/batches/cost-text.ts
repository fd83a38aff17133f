import { figure, plural } from '~/lib/figures'

/** Says how many units retries use, and what happens if fewer are left. */
export const costText = (count: number, remaining: number): string =>
  count <= remaining
    ? `This uses ${plural(count, 'unit')} of the ${figure(remaining)} left today. What fails again costs nothing.`
    : remaining === 0
      ? `This needs ${plural(count, 'unit')}, and none is left today.`
      : `This needs ${plural(count, 'unit')}, and ${figure(remaining)} are left today: we retry the oldest ${figure(remaining)}.`
