// The whole script of the public pages; they work without it.

// A message goes away by itself. One that a script left for the page it leads to is shown there.
const TOAST_MS = 5000
const HANDED_OVER = 'toast'
const fade = (toast) => setTimeout(() => toast.remove(), TOAST_MS)

function message(template, { title, description }) {
  for (const shown of document.querySelectorAll('[data-toast]')) shown.remove()
  const box = document.getElementById(template).content.firstElementChild.cloneNode(true)
  const [head, text] = box.querySelectorAll('p')
  head.textContent = title
  if (description) text.textContent = description
  else text.remove()
  return box
}

function showToast(toast) {
  const box = message(`toast-${toast.kind}`, toast)
  document.body.append(box)
  fade(box)
}

// A toast that the server wrote takes part in the layout; shown as an overlay it moves nothing.
for (const toast of document.querySelectorAll('[data-toast]:not([data-toast=stays])')) {
  toast.className = document.getElementById('toast-error').content.firstElementChild.className
  fade(toast)
}
try {
  const handed = JSON.parse(sessionStorage.getItem(HANDED_OVER))
  sessionStorage.removeItem(HANDED_OVER)
  if (handed) showToast(handed)
} catch {
  // A browser without storage has shown it on the page before.
}

// A form says that it is being sent and cannot be sent twice.
for (const form of document.querySelectorAll('form[data-pending]')) {
  const button = form.querySelector('button:not([type=button])')
  const label = button.textContent
  const rest = () => {
    button.removeAttribute('aria-disabled')
    button.textContent = label
  }
  form.addEventListener('submit', (event) => {
    if (button.hasAttribute('aria-disabled')) {
      event.preventDefault()
      return event.stopImmediatePropagation()
    }
    // Not `disabled`, which would take the focus away from it.
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.pending
  })
  form.addEventListener('rest', rest)
  // Coming back by the browser's history shows the page as it was left.
  addEventListener('pageshow', rest)
}

const NO_ANSWER = 'No answer came. Check your internet connection, then try again.'

// A wrong code is said at its own field. Its answer has no `fields`: the plain form, sent after the
// call, would use up a second try.
function wrongCode({ elements: { code, recoveryCode } }, answer) {
  if (!code || answer?.code !== 'BAD_CREDENTIALS') return null
  return code.value.trim() ? code : recoveryCode
}

function sayAt(field, text) {
  const said = document.getElementById('field-error').content.firstElementChild.cloneNode()
  said.id = `${field.id}-error`
  said.textContent = text
  field.parentElement.append(said)
  field.setAttribute('aria-invalid', 'true')
  const ids = new Set([said.id, ...(field.getAttribute('aria-describedby') ?? '').split(' ')])
  field.setAttribute('aria-describedby', [...ids].join(' ').trim())
  field.closest('details')?.setAttribute('open', '')
  field.focus()
}

function forgetErrors(form) {
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    document.getElementById(`${field.id}-error`)?.remove()
  }
}

// Signing in and opening an account are calls, so that a failure leaves the page as it is.
for (const form of document.querySelectorAll('form[data-call]')) {
  const { call, done, welcome, fails, leads, leaveAfterMs } = form.dataset
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const response = await fetch(call, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (response?.ok && answer) return leave(answer)
    // The plain form's page says it beside the fields.
    if (answer?.fields) return form.submit()
    form.dispatchEvent(new Event('rest'))
    const wrong = wrongCode(form, answer)
    const description = wrong ? '' : response ? answer?.error : NO_ANSWER
    forgetErrors(form)
    if (wrong) sayAt(wrong, answer.error)
    // Above the form, where it stays until the next attempt.
    form.before(message('form-error', { title: fails, description }))
  })

  const leave = ({ username, role, notice }) => {
    const description = [welcome?.replace('{name}', username), notice].filter(Boolean).join(' ')
    const toast = { kind: 'success', title: done, description }
    try {
      sessionStorage.setItem(HANDED_OVER, JSON.stringify(toast))
    } catch {
      showToast(toast)
    }
    const to = leads || (role === 'admin' ? '/admin/overview' : '/app')
    setTimeout(() => location.assign(to), Number(leaveAfterMs ?? 0))
  }
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
    const { clientX: x, clientY: y, detail } = event
    // The second click of the double click that opened the dialog does not close it.
    if (detail > 1 || event.target !== dialog) return
    if (x < left || x > right || y < top || y > bottom) dialog.close()
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

// Shows a page when there is no connection.
navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
