import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type HostApp, nameLimitOf, type PathContext } from './host-app'
import { HOST_APPS } from './host-apps'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/apps.md'), 'utf8')

/** Folder names as the page spells them per system, the inner ones first. */
const SYSTEMS: readonly { system: string; place: PathContext; names: Record<string, string> }[] = [
  { system: 'Linux', place: { platform: 'linux', home: '/h', env: {} }, names: { '/h': '~' } },
  { system: 'macOS', place: { platform: 'darwin', home: '/h', env: {} }, names: { '/h': '~' } },
  {
    system: 'Windows',
    place: { platform: 'win32', home: 'C:\\h', env: { APPDATA: 'C:\\r', LOCALAPPDATA: 'C:\\l' } },
    names: { 'C:\\r': '%APPDATA%', 'C:\\l': '%LOCALAPPDATA%', 'C:\\h': '%USERPROFILE%' },
  },
]

const SYNTAXES = { json: 'JSON', jsonc: 'JSON, comments', toml: 'TOML', yaml: 'YAML' } as const

describe('D6: the page about apps', () => {
  it.each(HOST_APPS)('describes how $name lists its servers', (app) => {
    expect(unpadded(PAGE)).toContain(`${unpadded(rowOf(app))}\n`)
  })

  it.each(HOST_APPS)('names the files of $name and the sources', (app) => {
    const page = unwrapped(PAGE)
    const paragraph = unwrapped(paragraphOf(app))
    expect(page).toContain(paragraph)
    const source = page.slice(page.indexOf(paragraph) + paragraph.length).split(' - **')[0]
    expect(source).toMatch(/^\w+\.\w+.*; read \d{4}-\d\d-\d\d\./u)
  })
})

function rowOf({ name, folder, list, off, toolLimit, toolNames }: HostApp): string {
  const cells = [
    name,
    SYNTAXES[list.syntax],
    `\`${list.keys.join('.')}\`${list.layout === 'list' ? ', a list' : ''}`,
    folder ? `\`${folder.file}\`` : '',
    off ? `\`${off.key}: ${JSON.stringify(off.value)}\`` : 'removed',
    toolLimit === undefined ? '' : String(toolLimit),
    toolNames ? String(nameLimitOf({ toolNames })) : '',
  ]
  return `| ${cells.join(' | ')} |`
}

function paragraphOf({ name, files, alsoReads, reload }: HostApp): string {
  const places = placesOf(files, ', else ')
  const also = alsoReads ? ` Servers are also imported from ${alsoReadOf(alsoReads)}.` : ''
  return `- **${name}.** ${places}. ${reload}${also} Source: `
}

function alsoReadOf({ files, folder }: NonNullable<HostApp['alsoReads']>): string {
  const inProjects = folder.map((file) => `\`${file}\``).join(' and ')
  return `other files (${placesOf(files, ', ')}; in projects: ${inProjects})`
}

function placesOf(files: HostApp['files'], between: string): string {
  const bySystem = SYSTEMS.map(({ system, place, names }) => ({
    system,
    text: files(place)
      .map((path) => `\`${named(path, names)}\``)
      .join(between),
  }))
  const groups = Object.entries(Object.groupBy(bySystem, ({ text }) => text)).map(
    ([text, some = []]) => `${some.map(({ system }) => system).join(' and ')}: ${text}`,
  )
  return groups.join('; ')
}

function named(path: string, names: Record<string, string>): string {
  return Object.entries(names).reduce((text, [folder, name]) => text.replace(folder, name), path)
}

/** Removes the padding of table columns. */
function unpadded(text: string): string {
  return text.replaceAll(/ +/gu, ' ')
}

/** Joins the lines of a wrapped paragraph. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/gu, ' ')
}
