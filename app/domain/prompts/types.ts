/** A prompt of the library as administrators see it. */
export type PromptView = {
  id: string
  text: string
  copyCount: number
  skipCount: number
  isCurrent: boolean
  createdAt: string
}

/** The daily prompt as users see it. */
export type DailyPrompt = { id: string; text: string; copyCount: number; skipCount: number }

/** Statistics of the library, and whether the current prompt is pinned. */
export type PromptStatistics = {
  total: number
  copies: number
  skips: number
  /**
   * Whether an administrator chose the current prompt. It then stays until an administrator changes
   * that.
   */
  isPinned: boolean
}

/** A prompt of the library that a user has used. */
export type PromptUse = { id: string; text: string; usedAt: string }
