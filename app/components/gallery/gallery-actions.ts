// The actions of cards and galleries. They are one script file, loaded on demand.
export { downloadPrompts, downloadVideo, downloadVideos, findCompleted } from './downloads'
export { deleteVideo, regenerateVideo, retryVideo } from './video-actions'
