import type { Locator, Page } from '@playwright/test'

/** The toast with this title. Screen readers get the words a second time, so the first is meant. */
export const toast = (page: Page, title: string): Locator =>
  page.getByText(title, { exact: true }).first()
