import { describe, expect, test } from 'vitest'
import { composeScene } from './compose'
import type { Scene } from './facts'

function read(prompt: string, negativePrompt: string | null = null): Scene {
  return composeScene({ prompt, negativePrompt, seed: 7 })
}

describe('words pick the scene', () => {
  test.each<[string, Partial<Scene>]>([
    [
      'A paper boat drifting down a rainy street at night',
      {
        place: 'street',
        weather: 'rain',
        time: 'night',
        elements: ['paperBoat'],
        motion: 'drift',
      },
    ],
    ['snowy mountains at dawn', { place: 'mountains', weather: 'snow', time: 'dawn' }],
    ['A rocket launch in the desert', { place: 'desert', elements: ['rocket'], motion: 'rise' }],
    ['Foggy forest with a deer', { place: 'forest', weather: 'fog', elements: ['deer'] }],
    ['neon city', { place: 'city', tone: 'neon', time: 'night' }],
    ['sunset over the sea with seagulls', { place: 'sea', time: 'dusk', elements: ['bird'] }],
    [
      'joyful hot air balloons over a meadow',
      { place: 'field', mood: 'joyful', elements: ['balloon'] },
    ],
    ['a girl with a red umbrella', { place: 'street', elements: ['umbrella'], accent: '#d8432f' }],
    ['tense chase, cars speeding', { mood: 'tense', pace: 'fast', elements: ['car'] }],
  ])('%s', (prompt, facts) => {
    expect(read(prompt)).toMatchObject(facts)
  })

  test('a place that is said outweighs places that things hint at', () => {
    expect(read('boats, ships and whales painted on a desert wall').place).toBe('desert')
  })

  test('the first thing named is the main subject', () => {
    expect(read('a lighthouse, a boat and some birds').elements).toEqual([
      'lighthouse',
      'boat',
      'bird',
    ])
  })

  test('plurals, endings and accents do not matter', () => {
    expect(read('PONIES').elements).toEqual(read('pony').elements)
    expect(read('la forêt').place).toBe('forest')
    expect(read('rainy').weather).toBe('rain')
  })

  test('common words of other languages are understood', () => {
    expect(read('قارب في البحر ليلا')).toMatchObject({
      place: 'sea',
      time: 'night',
      elements: ['boat'],
    })
    expect(read('Ночной лес под дождём')).toMatchObject({ place: 'forest', time: 'night' })
    expect(read('ein Haus im Wald, Nebel')).toMatchObject({ place: 'forest', weather: 'fog' })
  })
})

describe('the negative prompt', () => {
  test('removes elements it names, and their kin', () => {
    const scene = read('paper boat and birds on a lake', 'boats, birds')
    expect(scene.elements).toEqual([])
    expect(scene.place).toBe('lake')
  })

  test('removes weather and place', () => {
    expect(read('rainy city street', 'rain').weather).toBe('clear')
    expect(read('a city by the sea', 'city').place).toBe('sea')
  })

  test.each([
    ['a boat', false],
    ['misty mountains', false],
    ['blorp zxqv in the rain', true],
    ['no boats', true],
  ])('%s: the scene is invented: %s', (prompt, isInvented) =>
    expect(read(prompt).isInvented).toBe(isInvented),
  )

  test('refuses the caption when it refuses text', () => {
    expect(read('a boat').caption).toBe(true)
    expect(read('a boat', 'blurry, text, watermark').caption).toBe(false)
  })

  test('"no" and "without" in the prompt itself count as well', () => {
    expect(read('a lake with no boats').elements).toEqual([])
    expect(read('mountains without snow').weather).toBe('clear')
  })
})

describe('determinism', () => {
  test('the same wish gives the same scene', () => {
    for (const prompt of ['', 'blorp zxqv', 'a boat', '🎈🎈🎈', 'x'.repeat(5_000)]) {
      expect(read(prompt)).toEqual(read(prompt))
    }
  })

  test('an unknown prompt gets a landscape, and the seed changes it', () => {
    const scenes = [1, 2, 3, 4, 5, 6].map((seed) =>
      composeScene({ prompt: 'blorp zxqv', negativePrompt: null, seed }),
    )
    expect(new Set(scenes.map((scene) => scene.seed)).size).toBe(6)
    expect(new Set(scenes.map(({ place, time }) => `${place} ${time}`)).size).toBeGreaterThan(2)
    for (const { elements } of scenes) expect(elements).toEqual([])
  })

  test('an endless prompt gives the scene of its words, with no more elements than a short one', () => {
    const { seed: _, ...endless } = read('a red boat on the sea '.repeat(2_000))
    const { seed: __, ...short } = read('a red boat on the sea')
    expect(endless).toMatchObject({ place: short.place, accent: short.accent })
    expect(endless.elements).toEqual(short.elements)
  })
})
