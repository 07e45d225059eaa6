/* oxlint-disable typescript/no-deprecated -- knip finds the entries under the older name of `rolldownOptions` */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

import { EVENT_CHANNELS, REQUEST_CHANNELS } from './src-shared/ipc/channels'

/** The vocabulary as text for JSON.parse: as 200,000 literals it costs the app some 15 MB that stay when its thread has ended. */
const vocabularyAsJson = {
  name: 'vocabulary-as-json',
  async load(id: string) {
    if (!/[\\/]gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]\w+\.js$/.test(id)) return null
    const { default: vocabulary } = (await import(pathToFileURL(id).href)) as { default: unknown }
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(vocabulary))})`
  },
}

/** V8 keeps the text of a program, with two bytes for every character once a single one needs them: 5 MB for Patchbay's. */
const oneByteText = {
  name: 'one-byte-text',
  generateBundle(_options: unknown, bundle: Record<string, { readonly code?: string }>) {
    for (const [name, { code = '' }] of Object.entries(bundle)) {
      // The minifier escapes them everywhere but in tagged templates, whose raw text can be seen.
      const wide = /[^\n]{0,60}[^\0-\xff]/.exec(code)?.[0]
      if (wide !== undefined) throw new Error(`${name}: write the last character as \\u…: ${wide}`)
    }
  },
}

/** The channels as they are listed: the contract would bring zod into the sandboxed preload, and every schema into the first screen. */
const channelsAsList = {
  name: 'channels-as-list',
  load(id: string) {
    if (!/[\\/]src-shared[\\/]ipc[\\/]channels\.ts$/.test(id)) return null
    const lists = Object.entries({ EVENT_CHANNELS, REQUEST_CHANNELS })
    return lists.map(([name, list]) => `export const ${name} = ${JSON.stringify(list)}`).join('\n')
  },
}

type Chunk = { readonly imports?: readonly string[] }

/** Of files that need each other in a circle one runs before what it needs, and which one depends on the screen that opens first. */
const noCircles = {
  name: 'no-circles',
  generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
    const done = new Set<string>()
    const visit = (name: string, way: readonly string[]): void => {
      if (way.includes(name)) throw new Error(`Files in a circle: ${[...way, name].join(' > ')}`)
      if (done.has(name)) return
      for (const next of bundle[name]?.imports ?? []) visit(next, [...way, name])
      done.add(name)
    }
    for (const name of Object.keys(bundle)) visit(name, [])
  },
}

export default defineConfig({
  main: {
    plugins: [vocabularyAsJson, oneByteText],
    build: {
      // Modules among the devDependencies are bundled, since a small part of each is used; packages ship the others as they are.
      rollupOptions: {
        input: {
          index: resolve('src-main/index.ts'),
          cli: resolve('src-main/cli/index.ts'),
          'after-exit': resolve('src-main/after-exit.ts'),
        },
        output: {
          comments: { legal: true, annotation: false, jsdoc: false },
          // Names and lines stay, for the traces of errors.
          minify: {
            compress: false,
            mangle: false,
            codegen: { removeWhitespace: false, asciiOnly: true },
          },
        },
      },
    },
  },
  preload: {
    plugins: [channelsAsList],
    build: {
      // A sandboxed preload must be one CommonJS file with nothing to require.
      externalizeDeps: false,
      rollupOptions: {
        input: resolve('src-preload/index.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), tailwindcss({ optimize: false }), channelsAsList, noCircles],
    build: {
      minify: true,
      chunkSizeWarningLimit: 1_000,
      rollupOptions: {
        input: resolve('src-renderer/index.html'),
        output: {
          // A shared chunk would have the names of all that share it.
          chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
          codeSplitting: {
            groups: [
              // A chunk runs whole before those that use it: zod is set to work without eval before a schema is made.
              { name: 'first', test: /without-eval|node_modules[\\/]zod/ },
              // A file costs a round trip whatever its size.
              { name: 'initial', tags: ['$initial'] },
              // The protocol of views, which most windows never need.
              { name: 'view-protocol', test: /node_modules[\\/]@modelcontextprotocol/ },
              // One for all that screens share: several that were put together by size would need each other in a circle.
              { name: 'shared', minShareCount: 2 },
            ],
          },
        },
      },
      // Fonts and icons stay files: a data: address would need a hole in the content security policy.
      assetsInlineLimit: 0,
    },
  },
})
