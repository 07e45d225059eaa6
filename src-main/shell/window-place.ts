import { join } from 'node:path'

import * as z from 'zod'

import { recallOwnJson, writeOwnJson } from '../core/storage/own-file'

const FILE = 'window.json'
const MOST_BYTES = 4_096
/** So much of the title bar must be on a screen for a user to take hold of the window. */
const HOLD = { width: 120, height: 24 }
const TITLE_BAR = 32

/** A rectangle on the desktop, in device independent pixels. */
export type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>

const side = z.number().int().min(-100_000).max(100_000)
const length = z.number().int().positive().max(100_000)
const windowPlaceSchema = z.object({
  version: z.literal(1),
  // Without a position where the desktop reports none.
  bounds: z.object({ x: side.optional(), y: side.optional(), width: length, height: length }),
  state: z.enum(['normal', 'maximized', 'fullscreen']),
})

/** Where the window was: its bounds while it is neither maximized nor full screen, and which of them it is. */
export type WindowPlace = Omit<z.infer<typeof windowPlaceSchema>, 'version'>

/** A size, and a position where that is known. */
type Bounds = WindowPlace['bounds']

/** The place that was kept in a profile; one that is damaged counts as none. */
export function readWindowPlace(profileDir: string): WindowPlace | undefined {
  return recallOwnJson(join(profileDir, FILE), windowPlaceSchema, MOST_BYTES)
}

/** Keeps the place in a profile. Throws the system's error. */
export function writeWindowPlace(profileDir: string, { bounds, state }: WindowPlace): void {
  writeOwnJson(join(profileDir, FILE), { version: 1, bounds, state }, MOST_BYTES)
}

/**
 * Where a window opens: where it was, if its title bar can be reached there on one of the screens
 * (`workAreas`, the primary one first); else in the middle of the primary screen, which is marked by no `x`
 * and `y`, and no larger than that.
 */
export function openingBounds(
  kept: Bounds | undefined,
  usual: Pick<Rectangle, 'width' | 'height'>,
  workAreas: readonly Rectangle[],
): Bounds {
  if (kept && isRectangle(kept) && workAreas.some((area) => canHold(kept, area))) return kept
  const { width, height } = kept ?? usual
  const [primary] = workAreas
  return {
    width: Math.min(width, primary?.width ?? width),
    height: Math.min(height, primary?.height ?? height),
  }
}

/** No frame of a window is wider on its left, or higher at its top. */
const LARGEST_FRAME = { x: 32, y: 80 }

/**
 * On X11 a window is given the place of its frame, and reports that of what is in the frame: kept as reported, it would move by
 * its frame at each start. The difference shows when the system has placed the window that was opened at `opened`.
 */
export class FrameOffset {
  #offset = { x: 0, y: 0 }
  #isSettled = false

  constructor(private readonly opened: Rectangle) {}

  /** The bounds to give to a window that is to be where one reports `reported`. */
  toGiven(reported: Rectangle): Rectangle {
    if (!this.#isSettled) this.#measure(reported)
    const { x, y } = this.#offset
    return { ...reported, x: reported.x - x, y: reported.y - y }
  }

  /** What moves the window from now on is not the system that places it. */
  settle(): void {
    this.#isSettled = true
  }

  #measure(reported: Rectangle): void {
    const x = reported.x - this.opened.x
    const y = reported.y - this.opened.y
    if (x < 0 || y < 0 || x > LARGEST_FRAME.x || y > LARGEST_FRAME.y) return
    this.#offset = { x, y }
  }
}

function isRectangle(bounds: Bounds): bounds is Rectangle {
  return bounds.x !== undefined && bounds.y !== undefined
}

function canHold({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  const down = Math.min(y + TITLE_BAR, area.y + area.height) - Math.max(y, area.y)
  return across >= HOLD.width && down >= HOLD.height
}
