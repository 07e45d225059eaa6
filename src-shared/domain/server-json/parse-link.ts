import { asList, type JsonObject } from '../json-object'
import type { Icon, ServerJson } from './server-json'
import { type TolerantReader } from './tolerant-reader'

/** Accepts web addresses only, because the app offers them as links. */
export function readLink(
  reader: TolerantReader,
  source: JsonObject,
  name: string,
  path: string,
): string | undefined {
  const text = reader.line(source, name, path)
  if (!text) return undefined
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (isWeb) return text
  reader.setAside(`${path}${name}`, 'invalid-link', 'Expected a web address.')
  return undefined
}

/** Reads `repository`; an empty one, as the registry returns it, counts as absent. */
export function readRepository(
  reader: TolerantReader,
  source: JsonObject,
): ServerJson['repository'] {
  const repository = reader.object(source, 'repository', '')
  const url = repository && readLink(reader, repository, 'url', 'repository.')
  if (url === undefined || repository === undefined) return undefined
  return {
    url,
    source: reader.line(repository, 'source', 'repository.'),
    subfolder: reader.line(repository, 'subfolder', 'repository.'),
  }
}

const MAX_ICONS = 20
const MAX_DATA_ICON = 100_000
const PICTURE = /^image\/(png|jpe?g|svg\+xml|webp)$/
const DATA_ADDRESS = /^data:([a-z]+\/[a-z+.-]+)[;,]/
const SIZE = /^(\d{1,5}x\d{1,5}|any)$/

/** Reads `icons`: https: addresses and data: URLs of pictures; others are ignored. */
export function readIcons(reader: TolerantReader, source: JsonObject): Icon[] | undefined {
  const icons = reader.list(source, 'icons', '', (element, path) =>
    readIcon(reader, element, `${path}.`),
  )
  if (icons.length > MAX_ICONS)
    reader.setAside('icons', 'too-many', `Only the first ${String(MAX_ICONS)} are kept.`)
  return icons.length === 0 ? undefined : icons.slice(0, MAX_ICONS)
}

function readIcon(reader: TolerantReader, source: JsonObject, path: string): Icon | null {
  const src = reader.text(source, 'src', path)?.trim() ?? ''
  const mimeType = reader.line(source, 'mimeType', path)?.toLowerCase()
  const type = DATA_ADDRESS.exec(src)?.[1] ?? mimeType
  if (!isIconAddress(src))
    return reader.setAside(`${path}src`, 'invalid-icon', 'Expected an https: or data: address.')
  if (type !== undefined ? !PICTURE.test(type) : src.startsWith('data:'))
    return reader.setAside(path.slice(0, -1), 'invalid-icon', 'Expected PNG, JPEG, SVG or WebP.')
  const theme = reader.line(source, 'theme', path)
  return {
    src,
    mimeType: type,
    sizes: readSizes(reader, source, path),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
  }
}

function isIconAddress(src: string): boolean {
  if (src.startsWith('data:')) return src.length <= MAX_DATA_ICON
  return src.length <= 2_000 && URL.canParse(src) && new URL(src).protocol === 'https:'
}

/** The first drafts of the schema had one text instead of a list. */
function readSizes(reader: TolerantReader, source: JsonObject, path: string): string[] | undefined {
  const raw = reader.field(source, 'sizes')
  if (raw === undefined) return undefined
  const sizes: readonly unknown[] =
    typeof raw === 'string' ? raw.slice(0, 200).split(' ') : asList(raw)
  const known = sizes.filter((size): size is string => typeof size === 'string' && SIZE.test(size))
  if (known.length < sizes.length || known.length === 0)
    reader.setAside(`${path}sizes`, 'invalid-icon', 'Expected sizes such as "48x48" or "any".')
  return known.length === 0 ? undefined : known.slice(0, MAX_ICONS)
}
