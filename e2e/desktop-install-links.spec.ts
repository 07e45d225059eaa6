import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expectNoFaults } from './fixtures/axe-faults'
import { expect, snapshot, test } from './fixtures/desktop-test'
import type { DesktopApp } from './ways-in/desktop-app'

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

/** A link with the command of a small server. */
function link(name: string): string {
  const config = {
    command: 'node',
    args: [join(import.meta.dirname, 'servers/plain.mjs'), '--hidden\u200Bname'],
    env: { GITHUB_TOKEN: TOKEN },
  }
  const packed = Buffer.from(JSON.stringify(config)).toString('base64')
  return `patchbay://install?name=${name}&config=${encodeURIComponent(packed)}`
}

/** Opens a link like Windows and Linux: by a second start. */
function openBySecondStart(app: DesktopApp, address: string): Promise<void> {
  return app.evaluate(({ app: electron }, given) => {
    electron.emit('second-instance', {}, ['patchbay', '--flag', given], '/', null)
  }, address)
}

/** Opens a link like macOS; returns whether the app accepted it. */
function openByEvent(app: DesktopApp, address: string): Promise<boolean> {
  return app.evaluate(({ app: electron }, given) => {
    let isTaken = false
    electron.emit('open-url', { preventDefault: () => (isTaken = true) }, given)
    return isTaken
  }, address)
}

function dialogOf(page: Page) {
  return page.getByRole('dialog', { name: 'Add server from link' })
}

test.describe('D8: a patchbay:// link', () => {
  test(
    'opens a draft for review and runs nothing (CVE-2025-61929, CVE-2026-23523)',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      const { page } = app
      await openBySecondStart(app, link('Linked'))
      const dialog = dialogOf(page)
      await expect(dialog).toContainText('not from a registry')
      await expect(dialog).toContainText('plain.mjs')
      await expect(dialog).toContainText('--hidden\\u{200b}name')
      await expect(dialog).not.toContainText(TOKEN)
      // The draft appears unexpectedly, under whatever is typed or clicked.
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await page.mouse.click(2, 2)
      await expect(dialog).toContainText('plain.mjs')
      expect((await snapshot(app)).servers).toEqual([])
      for (const theme of ['light', 'dark', 'contrast', 'contrast-light'])
        await expectNoFaults(page, theme)
      expect((await snapshot(app)).servers).toEqual([])

      await dialog.getByRole('button', { name: 'Add 1 server' }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('heading', { name: /Linked/u, level: 1 })).toBeVisible()
      const [server] = (await snapshot(app)).servers
      expect(server).toMatchObject({ name: 'Linked', status: { kind: 'stopped' }, phases: [] })
      // The exact command waits for approval.
      await expect(page.getByRole('button', { name: /^Approve/u })).toBeVisible()
      expect((await snapshot(app)).link).toBeNull()
    },
  )

  test('is forgotten when canceled, and the newest one counts', async ({ desktop }) => {
    const app = await desktop.launch()
    const { page } = app
    expect(await openByEvent(app, link('First'))).toBe(true)
    await expect(dialogOf(page)).toContainText('First')
    await openByEvent(app, link('Second'))
    await expect(dialogOf(page)).toContainText('Second')
    await expect(dialogOf(page)).not.toContainText('First')
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toBeHidden()
    expect(await snapshot(app)).toMatchObject({ link: null, servers: [] })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
    await expect(dialogOf(page)).toBeHidden()
  })

  test('that starts the app waits for the window', async ({ desktop }) => {
    const app = await desktop.launch({}, [link('Linked')])
    await expect(dialogOf(app.page)).toContainText('Linked')
    expect((await snapshot(app)).servers).toEqual([])
  })

  test('that requests more than an install is ignored in that part, or rejected', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    await openBySecondStart(app, `${link('Linked')}&dxtPath=/tmp/other`)
    const dialog = dialogOf(app.page)
    await expect(dialog).toContainText('dxtPath: Ignored')
    await expect(dialog).not.toContainText('/tmp/other')
    await expect(dialog).not.toContainText('ghp_')
    for (const theme of ['light', 'dark', 'contrast', 'contrast-light'])
      await expectNoFaults(app.page, theme)
    await openBySecondStart(app, 'patchbay://run?command=x')
    await expect(dialog).toContainText('isn’t a link that installs a server')
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'Add 1 server' })).toHaveCount(0)
    expect((await snapshot(app)).servers).toEqual([])
  })
})
