// Lowers the built app to an old Electron: `out/` becomes an app folder for Chrome 108 and Node 16.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'

import { build, parseAst, transformWithOxc } from 'vite'

const TARGET = 'chrome108'
const HERE = import.meta.dirname
const ROOT = join(HERE, '../..')
const SQLITE = 'node:sqlite'
/** Script with the page's missing features. */
const ADDED = 'chrome-108.js'
const OUTSIDE = ['electron', 'original-fs', 'keytar', 'electron-updater']

/** Writes the app into the folder `app`, using the packages in `packages`. */
export async function lower({ app, packages }) {
  const require = createRequire(join(packages, 'package.json'))
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  cpSync(join(ROOT, 'out'), join(app, 'out'), { recursive: true })
  cpSync(join(ROOT, 'resources'), join(app, 'resources'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const main = './out/main/index.cjs'
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, main }))
  await lowerMain(join(app, 'out/main'), require)
  await lowerPreload(join(app, 'out/preload/index.cjs'))
  await lowerRenderer(join(app, 'out/renderer'), require)
}

/** The main process and its threads as CommonJS, next to the unchanged command line, which runs in its own Node. */
async function lowerMain(folder, require) {
  const threads = readdirSync(join(folder, 'chunks')).filter((name) => isThread(name))
  const entries = ['index.js', ...threads.map((name) => `chunks/${name}`)]
  const input = {
    'node-16': join(HERE, 'node-16.cjs'),
    ...Object.fromEntries(entries.map((name) => [name.slice(0, -3), join(folder, name)])),
  }
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    root: folder,
    ssr: { noExternal: true },
    plugins: [olderMain(folder, require)],
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: TARGET,
      minify: false,
      rolldownOptions: {
        input,
        external: (id) => (isBuiltin(id) && id !== SQLITE) || OUTSIDE.includes(id),
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/lowered-[name]-[hash].cjs',
          dynamicImportInCjs: false,
          banner: ({ isEntry, name }) =>
            isEntry && name !== 'node-16'
              ? `require(${JSON.stringify(join(folder, 'node-16.cjs'))});`
              : '',
        },
      },
    },
  })
}

function isThread(id) {
  return /-thread-[\w-]+\.js$/u.test(id)
}

function olderMain(folder, require) {
  const rewritePattern = require('regexpu-core')
  return {
    name: 'older-main',
    enforce: 'pre',
    resolveId(id) {
      if (id === SQLITE) return { id: require.resolve('@photostructure/sqlite'), external: true }
      // The newest one needs a newer Node.
      if (id === 'undici') return require.resolve('undici5')
      return ['core-js/actual', 'regexpu-core', 'undici5'].includes(id)
        ? require.resolve(id)
        : undefined
    },
    transform(code, id) {
      if (!id.startsWith(folder)) return null
      const text = code
        .replaceAll(/(-thread-[\w-]+)\.js"/gu, '$1.cjs"')
        // A thread from a string, which nothing else rewrites.
        .replace(
          "const { getCACertificates } = require('node:tls')",
          'const getCACertificates = () => []',
        )
      return withOlderPatterns(isThread(id) ? asFunction(text) : text, rewritePattern)
    },
  }
}

/** CommonJS has no top-level await, so everything after the imports becomes a function. */
function asFunction(code) {
  const imports = parseAst(code).body.filter(({ type }) => type === 'ImportDeclaration')
  const end = imports.at(-1)?.end ?? 0
  const rest = code.slice(end).replace(/export \{\};\s*$/u, '')
  return `${code.slice(0, end)}\nvoid (async () => {${rest}\n})()`
}

/** Removes the regular expression flag `v`, which Chrome 108 doesn't support. */
function withOlderPatterns(code, rewritePattern) {
  if (!/\/[a-z]*v[a-z]*/u.test(code)) return code
  const found = []
  const visit = (node) => {
    if (node?.regex?.flags.includes('v')) found.push(node)
    for (const part of Object.values(node ?? {})) if (typeof part === 'object') visit(part)
  }
  visit(parseAst(code))
  let older = code
  for (const { start, end, regex } of found.toReversed()) {
    const pattern = rewritePattern(regex.pattern, regex.flags, { unicodeSetsFlag: 'transform' })
    const flags = regex.flags.replace('v', 'u')
    older = `${older.slice(0, start)}/${pattern}/${flags}${older.slice(end)}`
  }
  return older
}

/** Electron 22's sandboxed preload only lacks the path of a file, which its files have themselves. */
async function lowerPreload(file) {
  const code = readFileSync(file, 'utf8')
  const { code: lowered } = await transformWithOxc(code, file, { target: TARGET, lang: 'js' })
  const webUtils = 'require("electron").webUtils ??= { getPathForFile: (file) => file.path };'
  writeFileSync(file, `${webUtils}\n${lowered}`)
}

async function lowerRenderer(folder, require) {
  const { transform } = require('lightningcss')
  const rewritePattern = require('regexpu-core')
  const assets = join(folder, 'assets')
  await build({
    ...{ configFile: false, publicDir: false, logLevel: 'error', root: assets },
    plugins: [
      {
        name: 'packages',
        resolveId: (id) => (id === 'core-js/actual' ? require.resolve(id) : undefined),
      },
    ],
    build: {
      ...{ outDir: assets, emptyOutDir: false, target: TARGET },
      lib: {
        ...{ entry: join(HERE, 'chrome-108.mjs'), formats: ['iife'], name: 'chrome' },
        fileName: () => ADDED,
      },
    },
  })
  for (const name of readdirSync(assets)) {
    const file = join(assets, name)
    if (name.endsWith('.css')) {
      const { code } = transform({
        filename: name,
        code: readFileSync(file),
        targets: { chrome: 108 << 16 },
        minify: true,
      })
      writeFileSync(file, code)
    } else if (name.endsWith('.js') && name !== ADDED) {
      const code = withOlderPatterns(readFileSync(file, 'utf8'), rewritePattern)
      const { code: lowered } = await transformWithOxc(code, file, { target: TARGET, lang: 'js' })
      // A worker has no document to load it first.
      writeFileSync(file, name.includes('-worker-') ? `import './${ADDED}';\n${lowered}` : lowered)
    }
  }
  const page = join(folder, 'index.html')
  const html = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    html.replace('<script', `<script src="./assets/${ADDED}"></script>\n    <script`),
  )
}
