// The whole script of the public pages; they work without it.

// A form says that it is being sent and cannot be sent twice.
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

// The theme changes at once; the form is only how it is remembered.
for (const form of document.querySelectorAll('form[data-theme-toggle]')) {
  form.addEventListener('submit', (event) => {
    const { submitter } = event
    if (!submitter) return
    event.preventDefault()
    document.documentElement.dataset.theme = submitter.value
    const body = new URLSearchParams(new FormData(form))
    body.set('theme', submitter.value)
    fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => {})
  })
}

// Values copy themselves; the button says so for two seconds.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const label = button.querySelector('span')
  let timer
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    label.textContent = 'Copied'
    clearTimeout(timer)
    timer = setTimeout(() => (label.textContent = 'Copy'), 2000)
  })
}

// Dialogs that are in the page open in place and keep the focus.
for (const link of document.querySelectorAll('[data-opens]')) {
  const dialog = document.getElementById(link.dataset.opens)
  if (!dialog?.showModal) continue
  link.addEventListener('click', (event) => {
    event.preventDefault()
    dialog.showModal()
  })
  dialog.addEventListener('click', (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    if (event.target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close()
  })
  dialog.querySelector('[data-closes]').addEventListener('click', (event) => {
    event.preventDefault()
    dialog.close()
  })
  if (dialog.open) {
    dialog.close()
    dialog.showModal()
  }
}
