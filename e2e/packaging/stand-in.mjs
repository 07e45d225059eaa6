// Creates a folder like an unpacked Electron whose binary is Node: packages can be built from it and their commands run, without a
// download. Only what Node can do works.
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What @electron/fuses looks for in the binary: a sentinel, the wire version, its length, and one byte per fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = 9
const OFF = '0'
const FILES = [
  ...['chrome-sandbox', 'chrome_crashpad_handler', 'libffmpeg.so', 'icudtl.dat', 'LICENSE'],
  ...['LICENSES.chromium.html', 'locales/en-US.pak', 'resources.pak'],
]

/** Creates the folder; `version`: of Electron. */
function makeStandIn(folder, version) {
  for (const inner of ['locales', 'resources']) mkdirSync(join(folder, inner), { recursive: true })
  for (const file of FILES) writeFileSync(join(folder, file), `stand-in for ${file}\n`)
  writeFileSync(join(folder, 'version'), version)
  const binary = join(folder, 'electron')
  copyFileSync(process.execPath, binary)
  chmodSync(binary, 0o755)
  appendFileSync(
    binary,
    Buffer.concat([
      Buffer.from(SENTINEL, 'ascii'),
      Buffer.from([1, FUSES]),
      Buffer.from(OFF.repeat(FUSES), 'ascii'),
    ]),
  )
}

if (import.meta.main) makeStandIn(process.argv[2], process.argv[3])
