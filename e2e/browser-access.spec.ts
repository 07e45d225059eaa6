import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Page } from '@playwright/test'

import { expectStatus, installReady, openServer, pidOf } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, isAlive, test } from './fixtures/patchbay-test'
import { callButton, openTool, resultOf, writeArguments } from './fixtures/tool-run-page'

/** Reloads the page with its sockets recorded, so that `window.cut()` cuts them like a network failure. */
async function keepSockets(page: Page): Promise<void> {
  await page.addInitScript(`
    const Real = WebSocket
    window.cut = () => window.sockets.splice(0).forEach((socket) => socket.close())
    window.sockets = []
    window.WebSocket = class extends Real {
      constructor(...args) { super(...args); window.sockets.push(this) }
    }`)
  // The link has been exchanged for the tab's token by then.
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.reload()
}

/** Variables of a desktop whose opener records its argument, and that record. */
function recordingDesktop(): {
  env: Record<string, string>
  opened: () => string
  seen: () => string
  end(): void
} {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-desktop-'))
  const file = join(folder, 'opened')
  for (const [name, script] of [
    // Everything that others could read of all processes' arguments meanwhile.
    ['xdg-open', `cat /proc/[0-9]*/cmdline > '${file}.seen' 2>&-; printf '%s' "$*" > '${file}'`],
    ['xdg-settings', 'echo firefox.desktop'],
    ['xdg-mime', 'echo firefox.desktop'],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return {
    // As in an AppImage, for which the opener on the PATH is used.
    env: { PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`, APPDIR: join(folder, 'app') },
    opened: () => readFileSync(file, 'utf8'),
    seen: () => readFileSync(`${file}.seen`, 'utf8'),
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

test.describe('D7: the browser version', () => {
  test.use({ settings: { startsAgain: false } })

  test(
    'shows and does nothing without its token, and a link works once',
    { tag: '@gate' },
    async ({ openServe, openWindow }) => {
      const served = await openServe()
      const origin = new URL(served.link).origin
      const signedOut = await openWindow(origin)
      await expect(signedOut.getByText(/from its link/iu).first()).toBeVisible()
      await expect(signedOut.getByRole('navigation')).toHaveCount(0)

      const owner = await openWindow(served.link)
      await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()
      expect(owner.url()).not.toContain('token')
      await owner.reload()
      await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()

      // Only the fragment of the address changes.
      await signedOut.goto(served.link)
      await expect(signedOut).not.toHaveURL(/token/u)
      await expect(signedOut.getByText(/from its link/iu).first()).toBeVisible()

      // A second command on the same profile finds the first and prints a new link.
      const link = await served.anotherLink()
      expect(new URL(link).origin).toBe(origin)
      await signedOut.goto(link)
      await expect(signedOut.getByRole('navigation', { name: 'Main' })).toBeVisible()
      await expect(signedOut).not.toHaveURL(/token/u)
      expect(await served.close()).toBe(0)
    },
  )

  test('opens through a page in the profile, reports each further tab, and signs all out', async ({
    openServe,
    openWindow,
    profileDir,
  }) => {
    test.skip(process.platform !== 'linux', 'the opener of another system')
    const served = await openServe()
    const first = await openWindow(served.link)
    await expect(first.getByRole('navigation', { name: 'Main' })).toBeVisible()
    const notices = first.getByRole('region', { name: 'Notices' })
    await expect(notices.getByText('in another tab')).toHaveCount(0)

    const desktop = recordingDesktop()
    await served.openAgain(desktop.env)
    const page = join(profileDir, 'open', 'patchbay.html')
    expect(desktop.opened()).toBe(page)
    const token = /#token=([\w-]+)/u.exec(readFileSync(page, 'utf8'))?.[1]
    expect(token).toHaveLength(43)
    expect(desktop.seen()).toContain(page)
    expect(desktop.seen()).not.toContain(token)
    desktop.end()
    const second = await openWindow(pathToFileURL(page).href)
    await expect(second.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect.poll(() => existsSync(page)).toBe(false)

    await expect(notices).toContainText('Patchbay was opened in another tab.')
    await notices.getByRole('button', { name: 'Sign out all tabs' }).click()
    for (const tab of [first, second]) {
      await expect(tab.getByText(/from its link/iu).first()).toBeVisible()
      await tab.reload()
      await expect(tab.getByText(/from its link/iu).first()).toBeVisible()
    }
    await first.goto(await served.anotherLink())
    await expect(first.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(notices.getByText('in another tab')).toHaveCount(0)
  })

  test('reconnects automatically and shows what happened meanwhile', async ({ app: { page } }) => {
    await keepSockets(page)
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain')
    const pid = await pidOf(page)
    await page.evaluate(`window.cut()`)
    process.kill(pid, 'SIGKILL')
    await expectStatus(page, 'Plain', 'Error')
  })

  test('shows the open tool run again after a lost connection', async ({ app: { page } }) => {
    await keepSockets(page)
    await installReady(page, fixtureServer('works.mjs'), 'Works')
    await openTool(page, 'Works', 'slow')
    await writeArguments(page, '{"every": 20}')
    await callButton(page).click()
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.evaluate(`window.cut()`)
    await expect.poll(() => page.evaluate('window.sockets.length')).toBe(1)
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(resultOf(page)).toContainText('Canceled')
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`stops all servers on ${signal} (B6)`, async ({ openServe, openWindow }) => {
      const served = await openServe()
      const page = await openWindow(served.link)
      await installReady(page, fixtureServer('family.mjs'), 'Family')
      const children = descendantsOf(served.pid)
      expect(children.length).toBeGreaterThan(1)
      expect(await served.close(signal)).toBe(0)
      expect(children.filter((pid) => isAlive(pid))).toEqual([])
    })
  }
})
