// Builds the npm package from the built app: the command line with the screens, without the desktop shell.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

import { ROOT } from '../toolchain.mjs'

const ENTRY = 'out/main/cli.js'
/** Native and optional: an install without it keeps secrets in memory. */
const OPTIONAL = new Set(['keytar'])
const DESKTOP = new Set(['electron', 'electron-store', 'electron-updater'])

/** An older Node would fail at an unknown import, which explains nothing. */
const START = `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(\`patchbay: Patchbay needs Node 24 or newer. This is Node \${process.versions.node}.\\n\`)
  process.exit(1)
}
`

/** Writes the package into the emptied `folder`, and returns its manifest. Throws if nothing is built. */
export async function writePackage(folder) {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { files, packages } = await readProgram(join(ROOT, ENTRY))
  const manifest = manifestOf(root, packages)
  rmSync(folder, { recursive: true, force: true })
  for (const file of files) {
    const target = join(folder, relative(ROOT, file))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  const entry = join(folder, ENTRY)
  writeFileSync(entry, START + readFileSync(entry, 'utf8'), { mode: 0o755 })
  cpSync(join(ROOT, 'out', 'renderer'), join(folder, 'out', 'renderer'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  })
  cpSync(join(ROOT, 'docs', 'cli.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** The package's manifest, with the project's exact versions. */
export function manifestOf(root, packages) {
  const unknown = packages.filter((name) => !Object.hasOwn(root.dependencies, name))
  const desktop = packages.filter((name) => DESKTOP.has(name))
  if (unknown.length > 0) throw new Error(`The project does not depend on ${unknown.join(', ')}.`)
  if (desktop.length > 0) throw new Error(`The command line uses ${desktop.join(', ')}.`)
  const names = [...new Set([...packages, ...packages.flatMap((name) => peersOf(name, root))])]
  const pick = (isOptional) =>
    Object.fromEntries(
      names
        .filter((name) => OPTIONAL.has(name) === isOptional)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((name) => [name, root.dependencies[name]]),
    )
  return {
    name: 'mcp-patchbay',
    version: root.version,
    description: 'Runs, secures and shares MCP servers, in the browser.',
    keywords: ['mcp', 'model-context-protocol', 'gateway', 'agent'],
    license: root.license,
    ...(root.author && { author: root.author }),
    ...(root.homepage && { homepage: root.homepage }),
    ...(root.repository && { repository: root.repository }),
    type: 'module',
    engines: root.engines,
    bin: { patchbay: ENTRY },
    files: ['out'],
    dependencies: pick(false),
    optionalDependencies: pick(true),
  }
}

/** A peer dependency pinned by the project gets the tested version. */
function peersOf(name, { dependencies }) {
  const file = join(ROOT, 'node_modules', name, 'package.json')
  const { peerDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys(peerDependencies).filter((peer) => Object.hasOwn(dependencies, peer))
}

/** Built files that a program loads or starts as threads, and the packages that they import. */
async function readProgram(entry) {
  if (!existsSync(entry)) throw new Error(`${entry} is missing. Run "npm run build" first.`)
  const { parseAst } = await import('vite')
  const files = new Set()
  const packages = new Set()
  const visit = (file) => {
    if (files.has(file)) return
    files.add(file)
    for (const specifier of specifiersOf(parseAst(readFileSync(file, 'utf8')))) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier))
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier))
    }
  }
  visit(entry)
  return { files: [...files], packages: [...packages] }
}

/** A program's imports, and files named relative to `import.meta.url`. */
function* specifiersOf(node) {
  if (Array.isArray(node)) {
    for (const item of node) yield* specifiersOf(item)
    return
  }
  if (node === null || typeof node !== 'object') return
  const isUrl = node.type === 'NewExpression' && node.callee.name === 'URL'
  const named = isUrl ? node.arguments[0] : node.source
  if (typeof named?.value === 'string' && (!isUrl || isModule(named.value))) yield named.value
  for (const value of Object.values(node)) yield* specifiersOf(value)
}

function isModule(address) {
  return address.startsWith('./') && basename(address).endsWith('.js')
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
