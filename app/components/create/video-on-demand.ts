import { onDemand } from '../ui/on-demand'
import { VIDEO_PANEL_ID } from './video-names'

const load = () => import('./video-panel')

export const VideoPanel = onDemand(async () => (await load()).VideoPanel, `#${VIDEO_PANEL_ID}`)
export const VideoPicture = onDemand(async () => (await load()).VideoPicture, `#${VIDEO_PANEL_ID}`)
