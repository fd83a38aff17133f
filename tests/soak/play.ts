import type { Wish } from './simulator-control'
import type { Scene } from './troubles'

/** Applies rules for a while, or a few times. */
export async function played(scene: Scene, name: string, wish: Wish, ms: number): Promise<void> {
  const { control } = scene.product
  await control.play(name, wish)
  await scene.wait(ms)
  await control.end(name)
}
