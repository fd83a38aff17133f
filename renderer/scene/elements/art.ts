import type { Pen } from '../stage'

/** The inks an element is cut from. */
export type Inks = {
  /** Darkest paper: silhouettes, wheels, legs. */
  dark: string
  /** Main paper of a plain thing, between `dark` and its surroundings. */
  body: string
  /** Hair, hides and wood. */
  hide: string
  /** The colour that the prompt gives the thing, or null. */
  own: string | null
  /** White paper in the light of the hour. */
  paper: string
  /** The same in shade. */
  shade: string
  /** The one warm colour. */
  accent: string
  /** Windows, lamps, flames. */
  lamp: string
}

/** How a thing moves through the clip. */
export type Move = 'still' | 'bob' | 'drive' | 'fly' | 'float' | 'launch' | 'sway' | 'swim' | 'walk'

/** Where an element belongs, how large it is and how it moves. */
export type Traits = {
  where: 'ground' | 'water' | 'sky'
  /** Pixels of 100 grid units when the thing is not the main subject. */
  size: number
  /** Left, top, right and bottom edge on its grid. */
  box: readonly [number, number, number, number]
  /** Number of copies as a companion and as the main subject; default one. */
  copies?: readonly [number, number]
  /** Default: still. */
  move?: Move
  /** Number of drawings in one cycle; default 1. */
  phases?: number
  /** Cycles per second. */
  tempo?: number
  /** A light it carries, on its grid. */
  glow?: { x: number; y: number; radius: number }
}

/**
 * An element drawn on its own grid: foot at (0, 0), up is negative, 100 is its usual height. It is
 * painted once per phase and then only moved.
 */
export type Art = Traits & { paint(pen: Pen, inks: Inks, phase: number): void }

/** Fills a shape written as an SVG path of absolute M, L, Q, C and Z commands. */
export function cut(pen: Pen, ink: string, path: string): void {
  pen.fillStyle = ink
  trace(pen, path)
  pen.fill()
}

/** Draws the path as a rounded line. */
export function line(pen: Pen, stroke: { ink: string; thick: number }, path: string): void {
  pen.strokeStyle = stroke.ink
  pen.lineWidth = stroke.thick
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  trace(pen, path)
  pen.stroke()
}

/** A filled circle or ellipse. */
export function round(
  pen: Pen,
  ink: string,
  [x, y, rx, ry]: readonly [number, number, number, number?],
): void {
  pen.fillStyle = ink
  pen.beginPath()
  pen.ellipse(x, y, rx, ry ?? rx, 0, 0, Math.PI * 2)
  pen.fill()
}

function trace(pen: Pen, path: string): void {
  pen.beginPath()
  for (const [, command, rest] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = (rest ?? '')
      .trim()
      .split(/[ ,]+/)
      .map(Number)
    if (command === 'M') pen.moveTo(a, b)
    else if (command === 'L') pen.lineTo(a, b)
    else if (command === 'Q') pen.quadraticCurveTo(a, b, c, d)
    else if (command === 'C') pen.bezierCurveTo(a, b, c, d, e, f)
    else pen.closePath()
  }
}
