// Bundles a TypeScript program of the project into one runnable file, for use outside the app.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

import { fail, ROOT } from './toolchain.mjs'

/** Bundles `entry` for the project's Node; packages and modules imported as one of `without` stay external. `remove` deletes the output. */
export async function bundle(entry, without = []) {
  const { build } = await import('vite').catch(() =>
    fail('The packages of the project are not here. Run "npm ci", then try again.'),
  )
  const name = basename(entry, '.ts')
  const parent = join(ROOT, '.build', 'bench')
  mkdirSync(parent, { recursive: true })
  // A folder per run: parallel runs must not read each other's unfinished files.
  const outDir = mkdtempSync(join(parent, `${name}-`))
  const remove = () => rmSync(outDir, { recursive: true, force: true })
  try {
    await build({
      root: ROOT,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      build: {
        ssr: entry,
        outDir,
        target: 'node24',
        minify: false,
        sourcemap: 'inline',
        rollupOptions: { external: without, output: { entryFileNames: `${name}.mjs` } },
      },
    })
  } catch (error) {
    remove()
    throw error
  }
  return { file: join(outDir, `${name}.mjs`), remove }
}
