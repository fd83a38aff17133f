/** Returns a link that opens the chat app with a prefilled message to the operator. */
export function chatLink(chatNumber: string, message: string): string {
  return `https://wa.me/${chatNumber.replace(/\D/g, '')}?text=${encodeURIComponent(message)}`
}
