// The work behind the buttons of cards and galleries. It is one script file, loaded on demand.
export { downloadPrompts, downloadVideo, downloadVideos, findCompleted } from './downloads'
export { deleteVideo, regenerateVideo, retryVideo } from './video-actions'
