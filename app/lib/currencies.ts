/** The currencies that payments are recorded in (ISO 4217), those of the prices first. */
export const CURRENCY_NAMES = [
  'PKR',
  'USD',
  'INR',
  'BDT',
  'AED',
  'SAR',
  'QAR',
  'OMR',
  'KWD',
  'BHD',
  'EUR',
  'GBP',
  'JPY',
] as const
export type Currency = (typeof CURRENCY_NAMES)[number]

export const isCurrency = (text: string): text is Currency =>
  CURRENCY_NAMES.some((name) => name === text)
