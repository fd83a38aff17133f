// The whole script of the public pages; they work without it. A form says that it is being sent
// and cannot be sent twice.
for (const form of document.querySelectorAll('form[data-pending]')) {
  const button = form.querySelector('button:not([type=button])')
  const label = button.textContent
  form.addEventListener('submit', () => {
    button.textContent = form.dataset.pending
    // After this event: a disabled button would not be part of what is sent.
    setTimeout(() => (button.disabled = true))
  })
  // Coming back by the browser's history shows the page as it was left.
  addEventListener('pageshow', () => {
    button.disabled = false
    button.textContent = label
  })
}
