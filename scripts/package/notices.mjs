// THIRD-PARTY-NOTICES.txt: licenses of all modules in a package, bundled or not. Electron includes its own.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { ROOT } from '../toolchain.mjs'

/** Absolute path. */
export const NOTICES = join(ROOT, '.build', 'package', 'THIRD-PARTY-NOTICES.txt')

const SOURCES = 'src-{main,preload,renderer,shared}/**/*.{ts,tsx,css,html}'
const NAME = /^(?:\.\.\/)*(?:node_modules\/)?((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:[/?]|$)/
const IMPORT = /(?:from|import|href=|url\()\s*\(?\s*['"]([^'"\s]+)['"]/g
/** The runtime has its own license text. */
const OWN_TEXT = new Set(['electron'])

/** Writes the notices; returns the named modules. */
export function writeNotices() {
  const modules = shippedModules()
  const parts = modules.map(({ name, version, license, text }) =>
    [`${name} ${version} (${license})`, text].join('\n\n'),
  )
  mkdirSync(dirname(NOTICES), { recursive: true })
  writeFileSync(NOTICES, `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  return modules
}

/** All modules that the sources import, and their dependencies, by name. */
export function shippedModules() {
  const found = new Map()
  const visit = (name, from) => {
    const folder = folderOf(name, from)
    if (folder === undefined || found.has(folder)) return
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    found.set(folder, {
      name: manifest.name,
      version: manifest.version,
      ...licenseOf(manifest, folder),
    })
    for (const one of dependenciesOf(manifest)) visit(one, folder)
  }
  for (const name of importedModules()) visit(name, ROOT)
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function dependenciesOf(manifest) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional && !/^(@types\/|typescript$)/.test(name),
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

function importedModules() {
  const names = new Set()
  for (const file of globSync(SOURCES, { cwd: ROOT })) {
    if (/\.test\.tsx?$/.test(file)) continue
    for (const [, specifier] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const name = NAME.exec(specifier)?.[1]
      if (name !== undefined && !OWN_TEXT.has(name)) names.add(name)
    }
  }
  return names
}

/** Where Node finds a module from a folder; undefined if it isn't installed. */
function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === ROOT || folder === dirname(folder)) return undefined
  }
}

function licenseOf({ license, licenses, author }, folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.flatMap((file) => {
    try {
      return [readFileSync(join(folder, file), 'utf8').trim()]
    } catch (error) {
      if (error.code === 'EISDIR') return []
      throw error
    }
  })
  const by = typeof author === 'string' ? author : author?.name
  const kind = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ')
  return {
    license: kind ?? 'see below',
    text: texts.length > 0 ? texts.join('\n\n') : `Copyright (c) ${by ?? 'its authors'}`,
  }
}
