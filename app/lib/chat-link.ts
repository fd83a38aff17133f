/** A link that opens the chat app with a message to the operator already written. */
export function chatLink(chatNumber: string, message: string): string {
  return `https://wa.me/${chatNumber.replace(/\D/g, '')}?text=${encodeURIComponent(message)}`
}
