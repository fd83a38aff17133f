import { afterEach, expect } from 'vitest'
import { clipNote } from '../simulator/clip'
import type { Flavour } from '../simulator/settings'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { findViolations } from '../support/invariants'
import { startInstallation, type Installation } from '../support/installation'
import { until } from '../support/wait'

type Video = { status: string; errorMessage: string | null; model: string; videoUrl: string | null }

/**
 * Returns a check that a prompt and a negative prompt become a clip that its owner can play, with the
 * product's processes and a provider of the flavour.
 */
export function useWholeProduct(): (flavour: Flavour) => Promise<void> {
  let sim: Simulator
  let product: Installation
  afterEach(async () => {
    await product.remove()
    await sim.stop()
  })
  return async (flavour) => {
    sim = await startSimulator()
    product = await startInstallation({ worker: true, env: sim.env(flavour) })
    const user = await product.user()
    const prompt = `A lighthouse for ${flavour}`
    const made = await user.post<{ id: string }>('/api/videos/generate', {
      prompt,
      negativePrompt: 'fog, text',
      aspectRatio: 'portrait',
    })
    expect(made.status).toBe(201)
    const video = await until('the video to end', async () => {
      const { body } = await user.get<Video>(`/api/videos/${made.body.id}/status`)
      return (body.status === 'completed' || body.status === 'error') && body
    })
    expect(video).toMatchObject({ status: 'completed', errorMessage: null })
    const media = await user.send('GET', video.videoUrl!)
    const clip = Buffer.from(await media.arrayBuffer())
    expect(clipNote(clip)).toContain(sim.orders()[0]!.id)
    // OpenAI's protocol has no field for it. Its form writes CR LF.
    const sent =
      flavour === 'openai'
        ? { prompt: `${prompt}\r\nAvoid: fog, text`, negativePrompt: null }
        : { prompt, negativePrompt: 'fog, text' }
    expect(sim.orders()).toMatchObject([sent])
    expect(sim.stats()).toMatchObject({
      ordersAccepted: 1,
      wastedOrders: 0,
      secretsInUrl: 0,
      credentialsToFiles: 0,
    })
    expect(await findViolations(product.db)).toEqual({})
  }
}
