// The actions of cards and galleries. They are one script file, loaded on demand.
export { downloadChosen, downloadPrompts, downloadVideo, tellArchive } from './downloads'
export { confirmAction } from './video-questions'
