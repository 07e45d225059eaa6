import { isJsonObject, type JsonObject } from '../../schema-form/reading/json-object'

/** What a block of content is; `other` is all that Patchbay does not know. */
type ContentKind = 'text' | 'image' | 'audio' | 'link' | 'resource' | 'other'

/** One block of content of a result (MCP, ContentBlock, ResourceContents). Texts are the server's own. */
export type ContentItem = {
  readonly kind: ContentKind
  /** Where it is in the result, as a JSON pointer. */
  readonly pointer: string
  /** Of a message of a prompt: who says it. */
  readonly role?: string
  readonly text?: string
  /** Base64. */
  readonly data?: string
  readonly mimeType?: string
  readonly uri?: string
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** In bytes, as the server says. */
  readonly size?: string
  /** For whom it is and how much it matters, as the server says. */
  readonly audience?: readonly string[]
  readonly priority?: string
}

/** What a result holds. */
export type ResultContent = {
  readonly items: readonly ContentItem[]
  readonly hasStructured: boolean
  /** Of a prompt. */
  readonly description?: string
}

/** What is shown of a name or an address, in UTF-16 units. */
const SHORT = 2_000

const KINDS: Readonly<Record<string, ContentKind>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  resource_link: 'link',
  resource: 'resource',
}

type Place = {
  readonly value: unknown
  readonly pointer: string
  readonly role?: string
  readonly isContents?: boolean
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function string(value: unknown, name: string, most = Infinity): string | undefined {
  const found = member(value, name)
  return typeof found === 'string' ? found.slice(0, most) : undefined
}

function number(value: unknown, name: string): string | undefined {
  const found = member(value, name)
  return typeof found === 'number' ? String(found) : undefined
}

/** The members that are there. */
function present<T extends JsonObject>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/** One block, or several of them. */
function blocks(value: unknown, pointer: string, role?: string): Place[] {
  if (value === undefined) return []
  const more = role === undefined ? {} : { role }
  if (!Array.isArray(value)) return [{ value, pointer, ...more }]
  return value.map((block: unknown, at) => ({ value: block, pointer: `${pointer}/${at}`, ...more }))
}

function message(value: unknown, pointer: string): Place[] {
  const role = string(value, 'role', SHORT) ?? ''
  const found = blocks(member(value, 'content'), `${pointer}/content`, role)
  return found.length > 0 ? found : [{ value, pointer, role }]
}

function list(result: unknown, name: string): unknown[] {
  const found = member(result, name)
  return Array.isArray(found) ? found : []
}

function itemOf({ value, pointer, role, isContents = false }: Place): ContentItem {
  const kind = isContents ? 'resource' : (KINDS[string(value, 'type') ?? ''] ?? 'other')
  const holder = !isContents && kind === 'resource' ? (member(value, 'resource') ?? value) : value
  const annotations = member(value, 'annotations')
  const audience = list(annotations, 'audience')
    .slice(0, 4)
    .flatMap((one) => (typeof one === 'string' ? one.slice(0, 40) : []))
  const item = {
    kind,
    pointer,
    ...present({
      role,
      text: string(holder, 'text'),
      data: string(holder, 'data') ?? string(holder, 'blob'),
      mimeType: string(holder, 'mimeType', SHORT),
      uri: string(holder, 'uri', SHORT),
      name: string(holder, 'name', SHORT),
      title: string(holder, 'title', SHORT),
      description: string(holder, 'description', SHORT),
      size: number(holder, 'size'),
      audience: audience.length > 0 ? audience : undefined,
      priority: number(annotations, 'priority'),
    }),
  }
  return isComplete(item) ? item : { ...item, kind: 'other' }
}

/** Whether a block has what its kind needs to be shown as such. */
function isComplete({ kind, text, data, uri }: ContentItem): boolean {
  switch (kind) {
    case 'text':
      return text !== undefined
    case 'image':
    case 'audio':
      return data !== undefined
    case 'link':
      return uri !== undefined
    case 'resource':
      return text !== undefined || data !== undefined
    case 'other':
      return true
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The content of a result of a call, a read, or a prompt, as its own members tell; undefined where it isn't valid JSON. */
export function readContent(text: string): ResultContent | undefined {
  const result = parsed(text)
  if (result === undefined) return undefined
  const places = [
    ...blocks(member(result, 'content'), '/content'),
    ...list(result, 'contents').map((value, at) => ({
      ...{ value, pointer: `/contents/${at}`, isContents: true },
    })),
    ...list(result, 'messages').flatMap((value, at) => message(value, `/messages/${at}`)),
  ]
  const description = string(result, 'description', SHORT)
  return {
    items: places.map(itemOf),
    hasStructured: member(result, 'structuredContent') !== undefined,
    ...(description !== undefined && { description }),
  }
}
