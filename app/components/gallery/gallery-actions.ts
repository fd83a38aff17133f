// The actions of cards and galleries. They are one script file, loaded on demand.
export { downloadChosen, downloadPrompts, downloadVideo, tellArchive } from './downloads'
export { deleteVideo, regenerateVideo, retryVideo } from './video-actions'
