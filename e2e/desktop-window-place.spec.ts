import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from './fixtures/desktop-test'
import type { DesktopApp } from './ways-in/desktop-app'

const PLACE = { x: 120, y: 80, width: 1100, height: 720 }

/** The window's bounds and state. */
function placeOf(app: DesktopApp): Promise<object | null> {
  return app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (!window) return null
    return {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    }
  })
}

/** Waits until the window is still after a start or `move`, when its place is stored. */
async function whenStill<T>({ profileDir }: { profileDir: string }, move: () => Promise<T>) {
  const writtenAt = () =>
    statSync(join(profileDir, 'window.json'), { throwIfNoEntry: false })?.mtimeMs
  const before = writtenAt()
  const moved = await move()
  await expect.poll(writtenAt).not.toBe(before)
  return moved
}

test.describe('D8: the window', () => {
  test('opens where it was closed, maximized if it was', async ({ desktop }) => {
    const first = await whenStill(desktop, () => desktop.launch())
    await whenStill(desktop, () =>
      first.evaluate(({ BrowserWindow }, bounds) => {
        BrowserWindow.getAllWindows()[0]?.setBounds(bounds)
      }, PLACE),
    )
    // The system places a window with its frame.
    const place = await placeOf(first)
    expect(place).toMatchObject({ bounds: { width: PLACE.width, height: PLACE.height } })
    await first.page.close()
    expect(await first.exited()).toBe(0)

    const second = await whenStill(desktop, () => desktop.launch())
    expect(await placeOf(second)).toEqual(place)
    await whenStill(desktop, () =>
      second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize()),
    )
    expect(await placeOf(second)).toMatchObject({ isMaximized: true })
    await second.page.close()
    expect(await second.exited()).toBe(0)

    const third = await whenStill(desktop, () => desktop.launch())
    expect(await placeOf(third)).toMatchObject({ isMaximized: true })
    await whenStill(desktop, () =>
      third.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.unmaximize()),
    )
    expect(await placeOf(third)).toEqual(place)
  })

  test('is stored even if the app is killed, and opens visibly if its screen is gone', async ({
    desktop,
  }) => {
    const first = await desktop.launch()
    await first.evaluate(({ BrowserWindow }) => {
      const bounds = { x: 9_000, y: 80, width: 1000, height: 700 }
      BrowserWindow.getAllWindows()[0]?.setBounds(bounds)
    })
    const file = join(desktop.profileDir, 'window.json')
    // A slow start writes its first place only now.
    await expect
      .poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
      .toMatch(/"width":\s*1000/u)
    process.kill(first.pid, 'SIGKILL')
    await first.exited()

    const second = await desktop.launch()
    await expect.poll(() => placeOf(second)).toMatchObject({ bounds: { width: 1000, height: 700 } })
    expect(await placeOf(second)).not.toMatchObject({ bounds: { x: 9_000 } })
  })
})
