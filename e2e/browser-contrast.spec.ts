import type { Page } from '@playwright/test'

import { expect, test } from './fixtures/patchbay-test'

const THEMES = ['light', 'dark', 'contrast', 'contrast-light'] as const
const GROUNDS = ['bg-window', 'bg-surface', 'bg-subtle', 'bg-inset', 'bg-raised', 'bg-control']
/** Overlays of the surface while hovered or pressed. */
const VEILS = ['bg-hover', 'bg-press']
const STATES = 'ready starting degraded error stopped paused backingOff signInNeeded'.split(' ')
/** Any hue of a monogram. */
const TILES = Array.from({ length: 24 }, (_, step) => `hue-${String(15 * step)}`)
/** Variants set by a class instead of a token: a state, a monogram's hue, a match. */
const CLASSES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STATES.map((state) => [state, `is-${state}`])),
  ...Object.fromEntries(TILES.map((tile) => [tile, 'tile'])),
  hit: 'hit hit-current',
}

/** A role on another, or on an overlay of the surface, with its required contrast. */
type Pair = {
  readonly role: string
  readonly on: readonly string[]
  readonly kind: 'text' | 'mark'
}

function text(role: string, ...on: string[]): Pair {
  return { role, on, kind: 'text' }
}

function mark(role: string, ...on: string[]): Pair {
  return { role, on, kind: 'mark' }
}

const PAIRS: readonly Pair[] = [
  ...['text', 'text-2', 'text-3', 'accent-text', ...STATES.map((state) => `${state}-text`)].flatMap(
    (role) => GROUNDS.map((ground) => text(role, ground)),
  ),
  ...['text', 'text-2'].flatMap((role) => VEILS.map((veil) => text(role, 'bg-surface', veil))),
  ...STATES.map((state) => text(`${state}-text`, `${state}-soft`)),
  ...STATES.map((state) => text('text', `${state}-soft`)),
  text('accent-text', 'accent-soft'),
  ...['accent', 'accent-hover', 'accent-press'].map((ground) => text('on-accent', ground)),
  ...TILES.map((tile) => text(`${tile}-text`, tile)),
  text('text', 'mark'),
  text('hit-text', 'hit'),
  ...STATES.flatMap((state) => ['bg-window', 'bg-surface'].map((ground) => mark(state, ground))),
  ...['line-control', 'focus'].flatMap((role) =>
    ['bg-window', 'bg-surface', 'bg-control'].map((ground) => mark(role, ground)),
  ),
]

/** Draws the roles in the browser and measures them (WCAG 2.2, relative luminance and contrast ratio). */
const MEASURE = `(pairs, classes) => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const probe = document.createElement('i')
  document.body.append(probe)
  const drawn = (roles) => {
    context.clearRect(0, 0, 1, 1)
    for (const role of roles) {
      const [name, part] = role.split(/-(?=(?:text|soft)$)/)
      const own = classes[name]
      const isState = own?.startsWith('is-')
      probe.className = own ?? ''
      probe.style.setProperty('--hue', name.startsWith('hue-') ? name.slice(4) : '')
      const token = isState ? ['st', part].filter(Boolean).join('-') : role
      probe.style.color = own && !isState ? '' : 'var(--' + token + ')'
      const drawn = getComputedStyle(probe)
      if (probe.style.color && !drawn.getPropertyValue('--' + token)) throw new Error(role + ' is no colour.')
      context.fillStyle = drawn[own && !isState && !part ? 'backgroundColor' : 'color']
      context.fillRect(0, 0, 1, 1)
    }
    return [...context.getImageData(0, 0, 1, 1).data]
  }
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ratios = pairs.map(({ role, on }) => {
    const [above, below] = [drawn([...on, role]), drawn(on)].map(luminance)
    return (Math.max(above, below) + 0.05) / (Math.min(above, below) + 0.05)
  })
  probe.remove()
  return ratios
}`

async function ratiosIn(page: Page, theme: string): Promise<number[]> {
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
  return page.evaluate<number[]>(
    `(${MEASURE})(${JSON.stringify(PAIRS)}, ${JSON.stringify(CLASSES)})`,
  )
}

test('every role has enough contrast to its background in every theme', async ({
  app: { page },
}) => {
  for (const theme of THEMES) {
    const isHigh = theme.startsWith('contrast')
    const least = { text: isHigh ? 7 : 4.5, mark: 3 }
    const ratios = await ratiosIn(page, theme)
    expect(ratios).toHaveLength(PAIRS.length)
    const faint = PAIRS.flatMap(({ role, on, kind }, at) => {
      const ratio = ratios[at] ?? 0
      return ratio >= least[kind] ? [] : [`${role} on ${on.join(' and ')}: ${ratio.toFixed(2)}`]
    })
    expect.soft(faint, theme).toEqual([])
  }
})
