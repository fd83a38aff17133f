// The actions of cards and galleries. They are one script file, loaded on demand.
export {
  downloadFound,
  downloadPrompts,
  downloadSelected,
  downloadSelectedArchive,
  downloadVideo,
  showNoList,
  showNothingToDownload,
  tellArchive,
} from './downloads'
export { joinSelected } from './join-selected'
export { confirmAction, failureOf } from './action-texts'
export { followPointer } from './hover-clips'
