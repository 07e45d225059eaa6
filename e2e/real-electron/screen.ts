import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect } from '@playwright/test'

const run = promisify(execFile)
const PICTURES = join(import.meta.dirname, '../../test-results/real-electron')

/** Where a window of the display is, and how large. */
export type WindowArea = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>

/** Presses keys as a user does, as `alt+F4`; each is a key of its own. */
export async function press(...keys: string[]): Promise<void> {
  await run('xdotool', ['key', '--clearmodifiers', '--delay', '40', ...keys])
}

/** Types a text as a user does. */
export async function type(text: string): Promise<void> {
  await run('xdotool', ['type', '--clearmodifiers', text])
}

/** Moves the pointer on the screen. */
export async function movePointer(x: number, y: number): Promise<void> {
  await run('xdotool', ['mousemove', String(x), String(y)])
}

/** The visible windows of the display whose title matches, also menus where `title` is `.*`. */
export async function windowsNamed(title: string): Promise<string[]> {
  try {
    const { stdout } = await run('xdotool', ['search', '--onlyvisible', '--name', title])
    return stdout.split('\n').filter(Boolean)
  } catch {
    return [] // none is there
  }
}

/** Waits for a window that is not among `before`, brings it to the front if it can be, and gives its number. */
export async function newWindow(title: string, before: readonly string[] = []): Promise<string> {
  const shown = async (): Promise<string[]> =>
    (await windowsNamed(title)).filter((id) => !before.includes(id))
  await expect.poll(shown, { message: `a window named ${title}` }).not.toEqual([])
  return (await shown()).at(-1) ?? ''
}

export async function areaOf(id: string): Promise<WindowArea> {
  const { stdout } = await run('xdotool', ['getwindowgeometry', '--shell', id])
  const part = (name: string): number =>
    Number(new RegExp(`^${name}=(-?\\d+)$`, 'mu').exec(stdout)?.[1])
  return { x: part('X'), y: part('Y'), width: part('WIDTH'), height: part('HEIGHT') }
}

/** Keeps a picture of the whole screen with the results of the tests. */
export async function shoot(name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  await run('scrot', ['--overwrite', join(PICTURES, `${name}.png`)])
}
