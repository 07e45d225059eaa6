import { join } from 'node:path'

import * as z from 'zod'

import { readOwnJsonOr, writeOwnJson } from '../core/storage/own-file'

const FILE = 'window.json'
const MAX_BYTES = 4_096
/** The part of the title bar that must be on a screen to grab the window. */
const HOLD = { width: 120, height: 24 }
const TITLE_BAR = 32

/** A rectangle on the desktop, in device independent pixels. */
export type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>

const side = z.number().int().min(-100_000).max(100_000)
const length = z.number().int().positive().max(100_000)
const windowPlaceSchema = z.object({
  version: z.literal(1),
  // Without a position if the desktop reports none.
  bounds: z.object({ x: side.optional(), y: side.optional(), width: length, height: length }),
  state: z.enum(['normal', 'maximized', 'fullscreen']),
})

/** The window's bounds while neither maximized nor full screen, and its state. */
export type WindowPlace = Omit<z.infer<typeof windowPlaceSchema>, 'version'>

/** A size, and a position if known. */
type Bounds = WindowPlace['bounds']

/** The place stored in a profile; undefined if damaged. */
export function readWindowPlace(profileDir: string): WindowPlace | undefined {
  return readOwnJsonOr(join(profileDir, FILE), windowPlaceSchema, MAX_BYTES)
}

/** Stores the place in a profile. Throws the system's error. */
export function writeWindowPlace(profileDir: string, { bounds, state }: WindowPlace): void {
  writeOwnJson(join(profileDir, FILE), { version: 1, bounds, state }, MAX_BYTES)
}

/**
 * The bounds for opening a window: its last ones if its title bar is reachable on one of the screens (`workAreas`, the primary one first);
 * else the middle of the primary screen (no `x` and `y`), no larger than it.
 */
export function openingBounds(
  saved: Bounds | undefined,
  usual: Pick<Rectangle, 'width' | 'height'>,
  workAreas: readonly Rectangle[],
): Bounds {
  if (saved && isRectangle(saved) && workAreas.some((area) => canHold(saved, area))) return saved
  const { width, height } = saved ?? usual
  const [primary] = workAreas
  return {
    width: Math.min(width, primary?.width ?? width),
    height: Math.min(height, primary?.height ?? height),
  }
}

/** No window frame is wider on the left or higher on top. */
const MAX_FRAME = { x: 32, y: 80 }

/**
 * On X11 a window is placed by its frame but reports its content: stored as reported, it would move at each start. The offset is known once
 * the system has placed the window opened at `opened`.
 */
export class FrameOffset {
  #offset = { x: 0, y: 0 }
  #isFixed = false

  constructor(private readonly opened: Rectangle) {}

  /** The bounds to request for a window that should report `reported`. */
  withoutOffset(reported: Rectangle): Rectangle {
    if (!this.#isFixed) this.#measure(reported)
    const { x, y } = this.#offset
    return { ...reported, x: reported.x - x, y: reported.y - y }
  }

  /** From now on the user, not the system, moves the window. */
  fix(): void {
    this.#isFixed = true
  }

  #measure(reported: Rectangle): void {
    const x = reported.x - this.opened.x
    const y = reported.y - this.opened.y
    if (x < 0 || y < 0 || x > MAX_FRAME.x || y > MAX_FRAME.y) return
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
