import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'

const INK = '#1d1c24'
const PAPER = '#f8f1e4'
const AMBER = '#e8892b'
const TEETH = 14

/**
 * The mark: a mill wheel that is a film reel, its rim cut into teeth, its windows sprocket holes,
 * and a play triangle as the hub. Drawn on a grid of 256 and readable on light and dark.
 */
export function drawLogo(side: number): Canvas {
  const canvas = createCanvas(side, side)
  const pen = canvas.getContext('2d')
  pen.scale(side / 256, side / 256)
  pen.translate(128, 128)
  fillWheel(pen)
  pen.fillStyle = INK
  disc(pen, 96)
  for (let hole = 0; hole < 7; hole += 1) {
    pen.save()
    pen.rotate((hole / 7) * Math.PI * 2)
    pen.fillStyle = PAPER
    pen.beginPath()
    pen.roundRect(-15, -85, 30, 25, 8)
    pen.fill()
    pen.restore()
  }
  pen.fillStyle = AMBER
  disc(pen, 46)
  pen.fillStyle = INK
  pen.strokeStyle = INK
  pen.lineWidth = 8
  pen.lineJoin = 'round'
  pen.beginPath()
  pen.moveTo(-11, -19)
  pen.lineTo(21, 0)
  pen.lineTo(-11, 19)
  pen.closePath()
  pen.fill()
  pen.stroke()
  return canvas
}

function fillWheel(pen: SKRSContext2D): void {
  pen.fillStyle = AMBER
  disc(pen, 110)
  for (let tooth = 0; tooth < TEETH; tooth += 1) {
    pen.save()
    pen.rotate((tooth / TEETH) * Math.PI * 2)
    pen.beginPath()
    pen.moveTo(-14, -104)
    pen.lineTo(-10.5, -122)
    pen.quadraticCurveTo(-10, -125, -7, -125)
    pen.lineTo(7, -125)
    pen.quadraticCurveTo(10, -125, 10.5, -122)
    pen.lineTo(14, -104)
    pen.fill()
    pen.restore()
  }
}

function disc(pen: SKRSContext2D, radius: number): void {
  pen.beginPath()
  pen.arc(0, 0, radius, 0, Math.PI * 2)
  pen.fill()
}
