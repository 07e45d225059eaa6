// `node scripts/package/icons.mjs`: renders resources/icons/icon.svg into each system's formats. The results are committed, so that
// packaging needs no browser.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { chromium } from '@playwright/test'

const ICONS = resolve(import.meta.dirname, '../../resources/icons')
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512]
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256]
/** Types of an .icns file by PNG size; the second of a pair is for high-density screens. */
const ICNS_TYPES = [
  ...[
    [16, 'icp4'],
    [32, 'icp5'],
    [32, 'ic11'],
    [64, 'ic12'],
    [128, 'ic07'],
  ],
  ...[
    [256, 'ic13'],
    [256, 'ic08'],
    [512, 'ic14'],
    [512, 'ic09'],
    [1024, 'ic10'],
  ],
]

if (import.meta.main) await renderAll()

async function renderAll() {
  const svg = readFileSync(join(ICONS, 'icon.svg'), 'utf8')
  const executablePath = process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const pngs = new Map()
  for (const size of [...LINUX_SIZES, 1024]) pngs.set(size, await render(browser, svg, size))
  await browser.close()
  mkdirSync(join(ICONS, 'linux'), { recursive: true })
  for (const size of LINUX_SIZES)
    writeFileSync(join(ICONS, 'linux', `${size}x${size}.png`), pngs.get(size))
  // For the running app.
  writeFileSync(join(ICONS, '../icon.png'), pngs.get(512))
  const sized = (size) => ({ size, png: pngs.get(size) })
  writeFileSync(join(ICONS, 'icon.ico'), icoOf(ICO_SIZES.map(sized)))
  writeFileSync(
    join(ICONS, 'icon.icns'),
    icnsOf(ICNS_TYPES.map(([size, type]) => ({ type, png: pngs.get(size) }))),
  )
}

async function render(browser, svg, size) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${svg}`)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

/** An .ico file of PNG images, supported since Windows Vista. */
export function icoOf(images) {
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index
    // 0 means 256.
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)])
}

/** An .icns file of PNG images. */
export function icnsOf(images) {
  const blocks = images.map(({ type, png }) => block(type, png))
  return block('icns', Buffer.concat(blocks))
}

function block(type, content) {
  const head = Buffer.alloc(8)
  head.write(type, 'ascii')
  head.writeUInt32BE(head.length + content.length, 4)
  return Buffer.concat([head, content])
}
