import type { FormResponse } from '~/http/forms/forms.server'
import { NOTHING_SENT } from '~/lib/call-api'
import { sendGalleryForm } from '../gallery/send-gallery-form'

/** The specification's texts for responses that have no message of their own, by intent. */
const FALLBACKS: Record<string, readonly [title: string, description: string]> = {
  generate: ['Generation failed', 'Failed to start video generation'],
  'generate-from-picture': ['Generation failed', 'Failed to start video generation'],
  'add-file': ['File not read', 'Failed to read the file'],
  'add-pictures': ['Pictures not added', 'Failed to add the pictures'],
  'pause-batch': ['Batch not paused', 'Failed to pause batch'],
  'resume-batch': ['Batch not resumed', 'Failed to resume batch'],
  'stop-batch': ['Cancel Failed', 'Failed to cancel batch'],
}
const BULK = ['Bulk Generation Failed', 'Failed to start bulk generation'] as const

/** Sends a form of the create screen. If no response comes, keeps the page and what was typed. */
export function sendCreateForm(request: Request, send: () => Promise<FormResponse>) {
  return sendGalleryForm(request, {
    send,
    otherWords: (intent, error) => {
      const [title, text] = FALLBACKS[intent] ?? BULK
      const isOffline = error instanceof TypeError
      return { title, description: isOffline ? `${text}. ${NOTHING_SENT}` : text }
    },
  })
}
