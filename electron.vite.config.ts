/* oxlint-disable typescript/no-deprecated -- knip finds the entries under the older name of `rolldownOptions` */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

import { EVENT_CHANNELS, REQUEST_CHANNELS } from './src-shared/ipc/channels'

/** Loads the vocabulary with JSON.parse: 200,000 literals would cost the app about 15 MB that stay after the thread ends. */
const vocabularyAsJson = {
  name: 'vocabulary-as-json',
  async load(id: string) {
    if (!/[\\/]gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]\w+\.js$/.test(id)) return null
    const { default: vocabulary } = (await import(pathToFileURL(id).href)) as { default: unknown }
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(vocabulary))})`
  },
}

/** V8 keeps the source text, with two bytes per character if a single one is not Latin-1: 5 MB for Patchbay. */
const oneByteText = {
  name: 'one-byte-text',
  generateBundle(_options: unknown, bundle: Record<string, { readonly code?: string }>) {
    for (const [name, { code = '' }] of Object.entries(bundle)) {
      // The minifier escapes such characters everywhere except in tagged templates, where the raw text is visible.
      const wide = /[^\n]{0,60}[^\0-\xff]/.exec(code)?.[0]
      if (wide !== undefined) throw new Error(`${name}: write the last character as \\u…: ${wide}`)
    }
  },
}

/** Replaces the contract by its channel lists: it would bring zod into the sandboxed preload, and every schema into the first screen. */
const channelsAsList = {
  name: 'channels-as-list',
  load(id: string) {
    if (!/[\\/]src-shared[\\/]ipc[\\/]channels\.ts$/.test(id)) return null
    const lists = Object.entries({ EVENT_CHANNELS, REQUEST_CHANNELS })
    return lists.map(([name, list]) => `export const ${name} = ${JSON.stringify(list)}`).join('\n')
  },
}

type Chunk = { readonly imports?: readonly string[] }

/** In a circle of chunks, one runs before its dependency, and which one depends on the first screen. */
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
      // devDependencies are bundled, because only a small part of each is used; packages ship the others unbundled.
      rollupOptions: {
        input: {
          index: resolve('src-main/index.ts'),
          cli: resolve('src-main/cli/index.ts'),
          'after-exit': resolve('src-main/after-exit.ts'),
        },
        output: {
          comments: { legal: true, annotation: false, jsdoc: false },
          // Names and line breaks stay for stack traces.
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
      // A sandboxed preload must be one CommonJS file without imports.
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
          // The default name of a shared chunk lists all its users.
          chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
          codeSplitting: {
            groups: [
              // A chunk runs completely before its dependents: zod is configured without eval before any schema is created.
              { name: 'first', test: /without-eval|node_modules[\\/]zod/ },
              // Each file costs a round trip.
              { name: 'initial', tags: ['$initial'] },
              // The protocol of views, which most windows never need.
              { name: 'view-protocol', test: /node_modules[\\/]@modelcontextprotocol/ },
              // A single chunk for shared modules: several, split by size, would depend on each other in a circle.
              { name: 'shared', minShareCount: 2 },
            ],
          },
        },
      },
      // Fonts and icons stay files, because a data: address would need an exception in the content security policy.
      assetsInlineLimit: 0,
    },
  },
})
