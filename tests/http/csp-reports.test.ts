import { expect, test } from 'vitest'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'

const product = useInstallation()

const send = async (body: string) => {
  const headers = { 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin' }
  const { status } = await product.client().send('POST', '/csp-reports', { body, headers })
  return status
}
const report = (fields: object) =>
  JSON.stringify({ 'csp-report': { 'violated-directive': 'script-src', ...fields } })

test('reports of browsers are logged without query strings, ten a minute at most; anything else is ignored', async () => {
  for (const body of [
    '',
    '{',
    '[]',
    '{"csp-report":1}',
    report({ 'source-file': 7 }),
    'x'.repeat(20_000),
  ])
    expect(await send(body)).toBe(204)
  const fields = { 'document-uri': 'http://own/app?prompt=secret', 'blocked-uri': 'inline' }
  for (let i = 0; i < 15; i++) expect(await send(report(fields))).toBe(204)
  const lines = () =>
    product.web
      .output()
      .split('\n')
      .filter((line) => line.includes('the browser blocked content'))
  await until('the lines', () => lines().length === 10)
  expect(lines()[0]).toMatch(/"blocked-uri":"inline","document-uri":"http:\/\/own\/app"/)
})
