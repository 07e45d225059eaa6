import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect } from '@playwright/test'

const run = promisify(execFile)
const PICTURES = join(import.meta.dirname, '../../test-results/real-electron')

/** Position and size of a window on the display. */
export type WindowArea = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>

/** Presses keys like a user, such as `alt+F4`. */
export async function press(...keys: string[]): Promise<void> {
  await run('xdotool', ['key', '--clearmodifiers', '--delay', '40', ...keys])
}

/** Types a text like a user. */
export async function type(text: string): Promise<void> {
  await run('xdotool', ['type', '--clearmodifiers', text])
}

/** Moves the pointer on the screen. */
export async function movePointer(x: number, y: number): Promise<void> {
  await run('xdotool', ['mousemove', String(x), String(y)])
}

/** Visible windows of the display whose title matches; menus too if `title` is `.*`. */
export async function windowsNamed(title: string): Promise<string[]> {
  try {
    const { stdout } = await run('xdotool', ['search', '--onlyvisible', '--name', title])
    return stdout.split('\n').filter(Boolean)
  } catch {
    return [] // there is none
  }
}

/** Waits for a window not in `before`, brings it to the front if possible, and returns its number. */
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

/** Saves a picture of the whole screen with the test results. */
export async function shoot(name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  await run('scrot', ['--overwrite', join(PICTURES, `${name}.png`)])
}
