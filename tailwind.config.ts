import type { Config } from 'tailwindcss'
import plugin from 'tailwindcss/plugin'

/**
 * Returns a colour of app/styles/tailwind.css. Components use these names and never raw colours.
 */
const token = (name: string) => `rgb(var(--${name}) / <alpha-value>)`

export default {
  content: ['./app/**/*.{ts,tsx}'],
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      paper: token('paper'),
      surface: token('surface'),
      sunken: token('sunken'),
      ink: token('ink'),
      soft: token('soft'),
      line: token('line'),
      edge: token('edge'),
      accent: {
        DEFAULT: token('accent'),
        strong: token('accent-strong'),
        on: token('on-accent'),
        film: token('accent-on-film'),
      },
      good: token('good'),
      warn: token('warn'),
      bad: { DEFAULT: token('bad'), on: token('on-bad') },
      film: { DEFAULT: token('film'), on: token('on-film') },
    },
    fontSize: {
      xs: ['0.75rem', '1rem'],
      sm: ['0.875rem', '1.25rem'],
      base: ['1rem', '1.5rem'],
      lg: ['1.25rem', '1.75rem'],
      xl: ['1.5rem', '2rem'],
      '2xl': ['2rem', '2.5rem'],
      '3xl': ['2.75rem', '3rem'],
    },
    borderRadius: { none: '0', sm: '4px', DEFAULT: '8px', lg: '12px', full: '9999px' },
    extend: {
      fontFamily: {
        sans: ['system-ui', '-apple-system', '"Segoe UI"', 'Roboto', '"Noto Sans"', 'sans-serif'],
      },
      boxShadow: {
        overlay: '0 12px 40px rgb(var(--shadow) / 0.28)',
        // Dims the page behind a dialog that no script has made modal.
        veil: '0 0 0 100vmax rgb(var(--film) / 0.6)',
      },
      transitionDuration: { DEFAULT: '150ms' },
      screens: { xs: '420px' },
    },
  },
  plugins: [
    // Applies where a container is wide enough for a table (app/components/ui/data-table.tsx),
    // whatever the width of the screen.
    plugin(({ addVariant }) => addVariant('wide', '@container (min-width: 54rem)')),
    // Narrower than any phone: a phone at 200 % zoom.
    plugin(({ addVariant }) => addVariant('tiny', '@media (max-width: 319px)')),
  ],
} satisfies Config
