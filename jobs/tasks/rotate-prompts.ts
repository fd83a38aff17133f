import { rotateDailyPrompt } from '~/domain/prompts/current.server'
import { task } from '../task'

export const rotatePrompts = task('prompts.rotate', rotateDailyPrompt)
