/** A prompt of the library as administrators see it. */
export type PromptView = {
  id: string
  text: string
  copyCount: number
  skipCount: number
  isCurrent: boolean
  createdAt: string
}

/** The prompt of the day as users see it. */
export type DailyPrompt = { id: string; text: string; copyCount: number; skipCount: number }

/** The library's figures, and how the current prompt came to be it. */
export type PromptStatistics = {
  total: number
  copies: number
  skips: number
  /** An administrator set it; it stays until one decides otherwise. */
  isPinned: boolean
}
